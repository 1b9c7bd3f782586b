import type { ShownPayment } from '../../../api/payments/schema.ts';
import type { RefundRequest } from '../../../charges/refunds/refund-requests.ts';
import { type Html, html } from '../../frame/html.ts';
import { time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import type { Visit } from '../frame/visit.ts';

/** A payer's open request for a refund, which the store grants by a refund or declines; null if there is none. */
export function refundRequest(
  visit: Visit,
  { id, status }: ShownPayment,
  request: RefundRequest | null,
): Html | null {
  if (request?.status !== 'OPEN' || status !== 'PAID') return null;
  const { say } = visit;
  const decline = form(visit, {
    action: `/payments/${id}/decline-refund`,
    submit: say('dashboard.payments.declineRequest'),
    style: 'quiet',
  });
  return html`<div class="note"><p class="note__text">${say('dashboard.payments.refundRequested')} ${time(visit, request.requestedAt)}</p>${visit.can('refund') && decline}</div>`;
}
