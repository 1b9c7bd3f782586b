import { randomUUID } from 'node:crypto';
import { startDeliveries } from '../../api/frame/start-deliveries.ts';
import { refundRequestsOf, requestRefund } from '../../charges/refunds/refund-requests.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { mayAskForRefund } from '../../domain/portal-actions.ts';
import { ownPayment } from '../../portal/own-rows.ts';
import { AlreadySent, recordPayerAction } from '../../portal/record-payer-action.ts';
import { portalSettingsOf } from '../../stores/portal-settings.ts';
import { html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, seeOther, sendHtml } from '../frame/page-context.ts';
import { sayAmount } from '../i18n/money.ts';
import { backLink, showNotPossible } from './not-possible.ts';
import { whatOf } from './payment-row.ts';
import { renderPortalLayout } from './portal-layout.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The page that asks the payer to confirm that they want their money back. */
export async function showRefundRequest(visit: PayerVisit): Promise<void> {
  const charge = await wantedOf(visit);
  if (!(await isOffered(visit, charge))) return refuse(visit);
  const { csrfToken, path, store } = visit;
  const left = sayAmount((charge.paidAmountCents ?? charge.amountCents) - charge.reversedCents);
  const main = html`<section class="panel portal__step">
<h1>${say('portal.refund.title')}</h1>
<p><strong>${whatOf(charge)}</strong></p>
<p>${say('portal.refund.means', { store: store.name, amount: left })}</p>
<form method="post" action="${path}/payments/${charge.id}/refund">
<input type="hidden" name="csrf" value="${csrfToken}">
<input type="hidden" name="submission" value="${randomUUID()}">
<button class="button">${say('portal.refund.confirm')}</button>
</form>
${backLink(visit)}
</section>`;
  sendHtml(visit.ctx, 200, renderPortalLayout(visit, { title: say('portal.refund.title'), main }));
}

/**
 * Asks the store for a refund. The store's settings and the payment's row decide now, and not when the page was shown. A form that
 * is sent twice asks once.
 */
export async function takeRefundRequest(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, deps, path, now, storeNow } = visit;
  const charge = await wantedOf(visit);
  const submission = form.get('submission');
  if (!submission) throw new NoticeError(400, NOTICES.badForm);
  if ((await refundRequestsOf(em, [charge.id])).has(charge.id)) return seeOther(ctx, path);
  if (!(await isOffered(visit, charge))) return refuse(visit);
  const { id: subjectId, storeId, devMode } = charge;
  try {
    const deliveries = await em.fork().transactional(async (tx) => {
      await requireSession(tx, visit);
      const asked = await requestRefund(tx, charge, { now, storeNow, publicUrl: deps.publicUrl });
      if (asked === null) return null;
      const sent = { storeId, devMode, subjectId, submission };
      await recordPayerAction(tx, sent, { action: 'refunds/request' }, now);
      return asked;
    });
    if (deliveries === null) return refuse(visit);
    startDeliveries(deps, deliveries);
  } catch (error) {
    // The other form of a double click has asked.
    if (!(error instanceof AlreadySent)) throw error;
  }
  seeOther(ctx, path);
}

/** @throws NoticeError the same 404 for an unknown payment and one of somebody else. */
async function wantedOf({ ctx, em, customer }: PayerVisit): Promise<Charge> {
  const charge = await ownPayment(em, customer, ctx.params.chargeId ?? '');
  if (charge === null) throw new NoticeError(404, NOTICES.noPayment);
  return charge;
}

async function isOffered({ em, customer, storeNow }: PayerVisit, charge: Charge): Promise<boolean> {
  if (!mayAskForRefund(await portalSettingsOf(em, customer), charge, storeNow)) return false;
  return !(await refundRequestsOf(em, [charge.id])).has(charge.id);
}

function refuse(visit: PayerVisit): void {
  showNotPossible(visit, say('portal.refund.title'), say('portal.refund.notPossible'));
}
