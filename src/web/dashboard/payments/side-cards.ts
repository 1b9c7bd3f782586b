import type { ShownPayment } from '../../../api/payments/schema.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import type { Invoice } from '../../../database/entities/invoice.ts';
import { storedExpiry } from '../../../domain/card-expiry.ts';
import { wasPaid } from '../../../domain/charge.ts';
import { numberOf } from '../../../invoices/invoice-files.ts';
import { brandName } from '../../frame/card-text.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { dayText } from '../../i18n/dates.ts';
import { copyChip, customerLink, link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, expiryText, kindName, methodName } from '../words.ts';

type Named = ShownPayment & { readonly customerName: string | null; readonly products: string | null };
type Rows = (readonly [string, Html | string] | null)[];

/** The facts of a payment: for people, and for developers. */
export function sideCards(
  visit: Visit,
  shown: Named,
  workflow: readonly (readonly [string, Html | string])[],
  invoice: Invoice | null,
  charge: Pick<Charge, 'dueDate' | 'paidComponents'>,
) {
  const { say } = visit;
  return [
    {
      title: say('dashboard.payment'),
      rows: [...paymentRows(visit, shown), ...dueRows(visit, charge), invoiceRow(visit, invoice)],
    },
    {
      title: say('dashboard.forDevelopers'),
      rows: [...developerRows(visit, shown), ...workflow],
    },
  ];
}

/** The due date, and what the payer's bank added to a late PIX payment. */
function dueRows(
  { say, locale }: Visit,
  { dueDate, paidComponents }: Pick<Charge, 'dueDate' | 'paidComponents'>,
): Rows {
  const added = (name: MessageKey, cents = 0): Rows[number] =>
    cents === 0 ? null : [say(name), amount(cents)];
  return [
    dueDate === null ? null : [say('dashboard.payments.dueDate'), dayText(locale, dueDate)],
    added('dashboard.payments.fine', paidComponents?.fineCents),
    added('dashboard.payments.interest', paidComponents?.interestCents),
  ];
}

function invoiceRow(visit: Visit, invoice: Invoice | null): Rows[number] {
  if (invoice === null) return null;
  return [visit.say('dashboard.payments.invoice'), link(visit, `/invoices/${invoice.id}`, numberOf(invoice))];
}

function paymentRows(visit: Visit, shown: Named): Rows {
  const { say } = visit;
  const customer = shown.customerName ?? shown.payer?.name ?? shown.customerId;
  const kept = (shown.paidAmount ?? 0) - shown.refundedAmount;
  return [
    customer === null
      ? null
      : [
          say('dashboard.customer'),
          shown.customerId === null
            ? customer
            : customerLink(visit, { ...shown, customerId: shown.customerId }, customer),
        ],
    shown.products === null ? null : [say('dashboard.products'), shown.products],
    [say('dashboard.amount'), amount(shown.amount)],
    shown.discount === 0 ? null : [say('dashboard.discount'), amount(shown.discount)],
    shown.customerFee === 0
      ? null
      : [say('dashboard.payments.price'), amount(shown.amount - shown.customerFee)],
    shown.customerFee === 0 ? null : [say('dashboard.customerFee'), amount(shown.customerFee)],
    // Nothing was kept of a payment that was not made.
    wasPaid(shown.status) ? [say('dashboard.payments.fee'), amount(shown.platformFee)] : null,
    shown.refundedAmount === 0 ? null : [say('dashboard.refunded'), amount(shown.refundedAmount)],
    shown.refundedAmount === 0 || kept === 0
      ? null
      : [say('dashboard.payments.keptByTheStore'), amount(kept)],
    [
      say('dashboard.method'),
      shown.card?.lastFour
        ? `${shown.wallet === null ? '' : `${methodName(shown.wallet, say)} · `}${brandName(shown.card.brand ?? '')} •••• ${shown.card.lastFour}${expiryText(storedExpiry(shown.card))} · ${shown.installmentsCount ?? 1}×`
        : methodName(shown.method, say),
    ],
    [say('dashboard.kind'), kindName(shown.kind, say)],
    shown.checkoutId === null
      ? null
      : [
          say('dashboard.checkout'),
          link(visit, `/checkouts/${shown.checkoutId}`, say('dashboard.home.seeTheCheckout')),
        ],
    shown.subscriptionId === null
      ? null
      : [
          say('dashboard.subscription'),
          link(visit, `/subscriptions/${shown.subscriptionId}`, say('dashboard.home.seeTheSubscription')),
        ],
    shown.receiptUrl === null
      ? null
      : [say('dashboard.receipt'), html`<a href="${shown.receiptUrl}">${say('payer.seeReceipt')}</a>`],
  ];
}

function developerRows(visit: Visit, shown: Named): Rows {
  const { say } = visit;
  return [
    ['Id', copyChip(visit, shown.id)],
    shown.externalId === null ? null : [say('dashboard.yourId'), shown.externalId],
    shown.description === null ? null : [say('dashboard.description'), shown.description],
    shown.endToEndIdentifier === null ? null : ['EndToEndId', copyChip(visit, shown.endToEndIdentifier)],
  ];
}
