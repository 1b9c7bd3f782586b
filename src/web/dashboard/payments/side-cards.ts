import type { ShownPayment } from '../../../api/payments/schema.ts';
import { wasPaid } from '../../../domain/charge.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyChip, link } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, kindName, methodName } from '../words.ts';

type Named = ShownPayment & { readonly customerName: string | null; readonly products: string | null };
type Rows = (readonly [string, Html | string] | null)[];

/** The facts of a payment: for people, and for developers. */
export function sideCards(
  visit: Visit,
  shown: Named,
  workflow: readonly (readonly [string, Html | string])[],
) {
  const { say } = visit;
  return [
    { title: say('Pagamento', 'Payment'), rows: paymentRows(visit, shown) },
    {
      title: say('Para programadores', 'For developers'),
      rows: [...developerRows(visit, shown), ...workflow],
    },
  ];
}

function paymentRows(visit: Visit, shown: Named): Rows {
  const { say } = visit;
  const customer = shown.customerName ?? shown.payer?.name ?? shown.customerId;
  const kept = (shown.paidAmount ?? 0) - shown.refundedAmount;
  return [
    customer === null
      ? null
      : [
          say('Cliente', 'Customer'),
          shown.customerId === null ? customer : link(visit, `/customers/${shown.customerId}`, customer),
        ],
    shown.products === null ? null : [say('Produtos', 'Products'), shown.products],
    [say('Valor', 'Amount'), amount(shown.amount)],
    shown.discount === 0 ? null : [say('Desconto', 'Discount'), amount(shown.discount)],
    // Nothing was kept of a payment that was not made.
    wasPaid(shown.status) ? [say('Tarifa', 'Fee'), amount(shown.platformFee)] : null,
    shown.refundedAmount === 0 ? null : [say('Devolvido', 'Refunded'), amount(shown.refundedAmount)],
    shown.refundedAmount === 0 || kept === 0
      ? null
      : [say('Fica com a loja', 'Kept by the store'), amount(kept)],
    [
      say('Método', 'Method'),
      shown.card?.lastFour
        ? `${shown.card.brand ?? ''} •••• ${shown.card.lastFour} · ${shown.installmentsCount ?? 1}×`
        : methodName(shown.method, say),
    ],
    [say('Tipo', 'Kind'), kindName(shown.kind, say)],
    shown.checkoutId === null
      ? null
      : [say('Checkout', 'Checkout'), link(visit, `/checkouts/${shown.checkoutId}`, say('Abrir', 'Open'))],
    shown.subscriptionId === null
      ? null
      : [
          say('Assinatura', 'Subscription'),
          link(visit, `/subscriptions/${shown.subscriptionId}`, say('Abrir', 'Open')),
        ],
    shown.receiptUrl === null
      ? null
      : [say('Comprovante', 'Receipt'), html`<a href="${shown.receiptUrl}">${say('Abrir', 'Open')}</a>`],
  ];
}

function developerRows(visit: Visit, shown: Named): Rows {
  const { say } = visit;
  return [
    ['Id', copyChip(visit, shown.id)],
    shown.externalId === null ? null : [say('Seu id', 'Your id'), shown.externalId],
    shown.description === null ? null : [say('Descrição', 'Description'), shown.description],
    shown.endToEndIdentifier === null ? null : ['EndToEndId', copyChip(visit, shown.endToEndIdentifier)],
  ];
}
