import type Router from '@koa/router';
import type { DefaultContext } from 'koa';
import type { Charge } from '../../database/entities/charge.ts';
import { cardReturnScript, cardStylesheet } from '../frame/assets.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { renderLayout } from '../frame/layout.ts';
import { NOTICES } from '../frame/notice-page.ts';
import {
  NoticeError,
  type PageContext,
  type PageDeps,
  type PageState,
  sendHtml,
} from '../frame/page-context.ts';
import { allowFraming } from '../frame/security-headers.ts';
import { servePayPage } from '../frame/serve-pay-page.ts';

const RETURNED = '/card/:chargeId/confirmed';

/** How long the payer waits for Temporal on the way back from their bank. */
const ASKED_WITHIN_MS = 3_000;

/** Pages around a card charge that a shop makes on its own page, without a checkout. */
export function addCardRoutes(router: Router<PageState, DefaultContext>, deps: PageDeps): void {
  router.get(RETURNED, (ctx) => servePayPage(ctx, RETURNED, deps, () => backFromBank(ctx, deps)));
}

/** The payer's bank sends the payer back. What the address says is no proof: the run asks the provider now. */
async function backFromBank(ctx: PageContext, deps: PageDeps): Promise<void> {
  const charge = await findPageCharge(deps.database.em.fork(), ctx.params.chargeId ?? '');
  if (charge?.method !== 'CARD' || charge.checkoutId !== null) throw new NoticeError(404, NOTICES.noCheckout);
  if (charge.status === 'PENDING' && charge.actionUrl !== null) await askNow(ctx, deps, charge);
  allowFraming(ctx);
  sendHtml(ctx, 200, renderReturned(charge));
}

async function askNow(ctx: PageContext, deps: PageDeps, { id: chargeId }: Charge): Promise<void> {
  try {
    const ask = () => deps.chargeUpdates.askProviderNow(chargeId);
    await deps.temporal.withDeadline(Date.now() + ASKED_WITHIN_MS, ask);
  } catch (error) {
    // The run also asks by itself.
    ctx.state.log.warn({ chargeId, err: error }, 'payer return not signalled');
  }
}

function renderReturned({ devMode }: Charge): string {
  return renderLayout({
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
