import { type CardChange, CardChangeEntity } from '../../database/entities/card-change.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import type { CardChangeId } from '../../domain/ids.ts';
import {
  decideVerification,
  findVerification,
  type SandboxVerification,
} from '../../providers/sandbox/sandbox-verifications.ts';
import { cardStylesheet } from '../frame/assets.ts';
import { isChargeId } from '../frame/find-page-charge.ts';
import { readForm } from '../frame/form-body.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageContext, type PageDeps, seeOther, sendHtml } from '../frame/page-context.ts';
import { renderPayerPage } from '../frame/payer-page.ts';

/** The page of the sandbox's bank on which a payer of dev mode confirms a new card, or the card of a trial. */
export async function showVerification(ctx: PageContext, deps: PageDeps): Promise<void> {
  const { reference, verification } = await verificationIn(ctx, deps);
  if (verification.isConfirmed !== null) return seeOther(ctx, verification.returnUrl);
  const em = deps.database.em.fork();
  const card = await cardOf(em, reference);
  if (card === null) throw new NoticeError(404, NOTICES.noCheckout);
  const { name } = await em.findOneOrFail(StoreEntity, { id: card.storeId });
  const page = renderPayerPage({
    title: say('sandboxBank.confirmYourCard'),
    stylesheets: [cardStylesheet],
    devModeNotice: say('payer.testEnvironmentNoPaymentHere'),
    body: html`<main class="card">
<h1 class="card__title">${say('sandboxBank.confirmYourCard')}</h1>
<p class="card__text">${say('sandboxBank.yourBankAsksAboutTheCard', { store: name, digits: card.cardLastFour ?? '' })}</p>
<form class="card__actions" method="post" action="/sandbox-bank/verify/${reference}">
<button type="submit" class="button" name="decision" value="confirm">${say('sandboxBank.confirm')}</button>
<button type="submit" class="button button--quiet" name="decision" value="refuse">${say('sandboxBank.refuse')}</button>
</form>
<p class="card__text"><a href="${verification.returnUrl}">${say('sandboxBank.leave')}</a></p>
</main>`,
  });
  sendHtml(ctx, 200, page);
}

function cardOf(em: Em, reference: string): Promise<Charge | CardChange | null> {
  return isChargeId(reference)
    ? em.findOne(ChargeEntity, { id: reference, devMode: true })
    : em.findOne(CardChangeEntity, { id: reference as CardChangeId, devMode: true });
}

export async function takeVerification(ctx: PageContext, deps: PageDeps): Promise<void> {
  const decision = (await readForm(ctx.req)).get('decision');
  const { reference, verification } = await verificationIn(ctx, deps);
  if (decision !== 'confirm' && decision !== 'refuse') throw new NoticeError(400, NOTICES.badForm);
  await decideVerification(deps.database, { reference, isConfirmed: decision === 'confirm' });
  seeOther(ctx, verification.returnUrl);
}

/** @throws NoticeError 404 if the sandbox's bank asks nobody. */
async function verificationIn(
  ctx: PageContext,
  { database }: PageDeps,
): Promise<{ readonly reference: string; readonly verification: SandboxVerification }> {
  const reference = ctx.params.reference ?? '';
  const verification = await findVerification(database, reference);
  if (verification === null) throw new NoticeError(404, NOTICES.noCheckout);
  return { reference, verification };
}
