import type { RefundRequest } from '../../charges/refunds/refund-requests.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Invoice } from '../../database/entities/invoice.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import { itemsText } from '../../domain/checkout.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { mayAskForRefund } from '../../domain/portal-actions.ts';
import type { PortalSettings } from '../../domain/portal-settings.ts';
import { numberOf } from '../../invoices/invoice-files.ts';
import { cardText } from '../frame/card-text.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayDay } from '../frame/language.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';
import type { PayerVisit } from './visit.ts';

const STATUSES: Readonly<Record<ChargeStatus, MessageKey>> = {
  PENDING: 'portal.home.pending',
  PAID: 'portal.home.paid',
  EXPIRED: 'portal.home.expired',
  CANCELLED: 'portal.home.cancelled',
  REFUNDED: 'portal.home.refunded',
  UNDER_DISPUTE: 'portal.home.underDispute',
  FAILED: 'portal.home.failed',
};

/** What a payment's row depends on besides the payment. */
interface RowView {
  readonly settings: PortalSettings;
  /** Null for a payment without one. */
  readonly invoice: Invoice | null;
  /** The payer's newest request for a refund; null if there is none. */
  readonly request: RefundRequest | null;
}

/** A payment in the list: what, when, how much, its state, its receipt or page, and its refund. */
export function renderPayment(visit: PayerVisit, charge: Charge, view: RowView): Html {
  const { status, createdAt, paidAt, amountCents, paidAmountCents } = charge;
  const date = saoPauloDateOf(paidAt ?? createdAt);
  const isOpen = status === 'PENDING' && charge.closesAt > visit.storeNow;
  const [what, how] = [whatOf(charge), cardText(charge) ?? methodOf(charge)];
  const links = [
    linkOf(charge, isOpen),
    invoiceOf(visit, charge, view),
    refundOf(visit, charge, view),
  ].filter((link) => link !== null);
  return html`<li class="portal__row">
<p class="portal__what"><strong>${what}</strong><span><time datetime="${date}">${sayDay(date)}</time>${how !== what && html` · ${how}`}</span></p>
<p class="portal__amount"><strong>${sayAmount(paidAmountCents ?? amountCents)}</strong><span>${say(status === 'PENDING' && !isOpen ? STATUSES.EXPIRED : STATUSES[status])}</span></p>
${links.length > 0 && html`<p class="portal__links">${links}</p>`}
</li>`;
}

/** A free payment without a discount has started a trial. */
function methodOf({ method, discountCents }: Charge): string {
  return say(method === 'FREE' && discountCents === 0 ? 'payer.freeTrial' : METHOD_NAMES[method]);
}

/** What was bought, else how it was paid. */
export function whatOf({ items, description, method }: Charge): string {
  return itemsText(items ?? []) || description || say(METHOD_NAMES[method]);
}

/** The receipt of a paid payment, or the page on which an open one is paid. */
function linkOf({ id, paidAt, method, checkoutId }: Charge, isOpen: boolean): Html | null {
  if (paidAt !== null) return html`<a href="/receipt/${id}">${say('payer.seeReceipt')}</a>`;
  if (!isOpen || (checkoutId === null && !METHOD_TRAITS[method].hasSlip)) return null;
  const href = checkoutId === null ? `/boleto/${id}` : `/pay/${checkoutId}/${id}`;
  return html`<a href="${href}">${say('portal.home.pay')}</a>`;
}

function invoiceOf({ path }: PayerVisit, { id }: Charge, { invoice }: RowView): Html | null {
  if (invoice === null) return null;
  return html`<a href="${path}/payments/${id}/invoice" download>${say('portal.home.invoice', { number: numberOf(invoice) })}</a>`;
}

/** Asks for a refund, or says what became of that. A refund itself is the payment's state. */
function refundOf(
  { path, storeNow }: PayerVisit,
  charge: Charge,
  { settings, request }: RowView,
): Html | null {
  if (charge.status !== 'PAID') return null;
  if (request !== null) {
    const date = saoPauloDateOf(request.requestedAt);
    const text = request.status === 'OPEN' ? 'portal.refund.requested' : closedText(charge);
    return html`<span>${say(text, { date: sayDay(date) })}</span>`;
  }
  if (!mayAskForRefund(settings, charge, storeNow)) return null;
  return html`<a href="${path}/payments/${charge.id}/refund">${say('portal.refund.title')}</a>`;
}

function closedText({ refundedCents }: Charge): MessageKey {
  return refundedCents > 0 ? 'portal.refund.partly' : 'portal.refund.declined';
}
