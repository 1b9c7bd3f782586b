import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { Charge } from '../../database/entities/charge.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { keepsCards } from '../../providers/ports/cards.ts';
import { askAfterReturn } from '../frame/ask-after-return.ts';
import { cardReturnScript, cardStylesheet, recebeScript } from '../frame/assets.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import {
  NoticeError,
  type PageContext,
  type PageDeps,
  type PageState,
  sendHtml,
} from '../frame/page-context.ts';
import { renderPayerPage } from '../frame/payer-page.ts';
import { allowFraming, policyWithCardFields, SHOP_SCRIPT_HEADERS } from '../frame/security-headers.ts';
import { servePayPage } from '../frame/serve-pay-page.ts';
import { amountIn, renderCardFrame, storeOfPublicKey } from './card-frame.ts';

const RETURNED = '/card/:chargeId/confirmed';
const SCRIPT = '/js/v1/recebe.js';
const FRAME = '/js/v1/card';

/** Pages around a card charge that a shop makes on its own page, without a checkout. */
export function addCardRoutes(router: Router<PageState, DefaultContext>, deps: PageDeps): void {
  router.get(RETURNED, (ctx) => servePayPage(ctx, RETURNED, deps, () => backFromBank(ctx, deps)));
  router.get(SCRIPT, serveScript);
  router.get(FRAME, (ctx) => servePayPage(ctx, FRAME, deps, () => showFrame(ctx, deps)));
}

function serveScript(ctx: PageContext): void {
  ctx.state.route = SCRIPT;
  ctx.set(SHOP_SCRIPT_HEADERS);
  ctx.type = recebeScript.contentType;
  ctx.body = recebeScript.body;
}

/** The fields of a card, in the frame that `recebe.js` shows. What the address says is checked, but no secret. */
async function showFrame(ctx: PageContext, deps: PageDeps): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const key = query.get('key') ?? '';
  const amountCents = amountIn(query.get('amount') ?? '');
  const owner = await storeOfPublicKey(deps.database, key, deps.clock());
  if (owner === null || amountCents === null) throw new NoticeError(404, NOTICES.noPage);
  const cards = (await deps.providers.providersOf(owner)).get('CARD')?.cards;
  // A provider's own page needs no fields, and no shop can embed it.
  if (cards === undefined || !keepsCards(cards)) throw new NoticeError(404, NOTICES.noPage);
  const { entry } = cards;
  if (entry.kind === 'PROVIDER_FIELDS') ctx.set(policyWithCardFields(entry.fields));
  allowFraming(ctx);
  sendHtml(ctx, 200, renderCardFrame({ key, devMode: owner.devMode, amountCents }, entry));
}

/** The payer's bank sends the payer back. */
async function backFromBank(ctx: PageContext, deps: PageDeps): Promise<void> {
  const charge = await findPageCharge(deps.database.em.fork(), ctx.params.chargeId ?? '');
  const isAsked = charge !== null && METHOD_TRAITS[charge.method].decidedBy === 'ISSUER';
  if (!isAsked || charge.checkoutId !== null) throw new NoticeError(404, NOTICES.noCheckout);
  if (charge.status === 'PENDING' && charge.actionUrl !== null) await askAfterReturn(ctx, deps, charge.id);
  allowFraming(ctx);
  sendHtml(ctx, 200, renderReturned(charge));
}

function renderReturned({ devMode }: Charge): string {
  return renderPayerPage({
    title: say('payer.backFromYourBank'),
    stylesheets: [cardStylesheet],
    scripts: [cardReturnScript],
    devModeNotice: devMode ? say('payer.testEnvironmentNoPaymentHere') : null,
    body: html`<main class="card">
<h1 class="card__title">${say('payer.backFromYourBank')}</h1>
<p class="card__text">${say('payer.closeThisWindow')}</p>
</main>`,
  });
}
