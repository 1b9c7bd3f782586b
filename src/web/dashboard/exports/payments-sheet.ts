import { listPayments } from '../../../api/payments/routes.ts';
import type { ShownPayment } from '../../../api/payments/schema.ts';
import { type ChargeLabel, chargeLabels } from '../../../charges/charge-labels.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { formatTaxId, maskTaxId } from '../../../domain/tax-id.ts';
import type { Visit } from '../frame/visit.ts';
import { failureWords, kindName, methodName, paymentStatusName } from '../words.ts';
import { type Column, sheet } from './sheet.ts';

interface Row {
  readonly payment: ShownPayment;
  readonly label: ChargeLabel | undefined;
}

const TAX_ID: Column<Row> = {
  heading: 'dashboard.taxId',
  value: ({ payment, label }) => {
    const own = label?.customerTaxId ?? null;
    return own === null ? (payment.payer?.taxId ?? null) : formatTaxId(own);
  },
};

const MASKED_TAX_ID: Column<Row> = {
  ...TAX_ID,
  value: ({ payment, label }) => {
    const own = label?.customerTaxId ?? null;
    return own === null ? (payment.payer?.taxId ?? null) : maskTaxId(own);
  },
};

const WHO: readonly Column<Row>[] = [
  { heading: 'dashboard.exports.who.heading', value: ({ payment }) => ({ at: payment.paidAt }) },
  {
    heading: 'dashboard.customer',
    value: ({ payment, label }) => label?.customerName ?? payment.payer?.name ?? null,
  },
];

const WHAT: readonly Column<Row>[] = [
  { heading: 'dashboard.eMail', value: ({ label }) => label?.customerEmail ?? null },
  { heading: 'dashboard.product', value: ({ label }) => label?.products.join(', ') || null },
  { heading: 'dashboard.description', value: ({ payment }) => payment.description },
  { heading: 'dashboard.kind', value: ({ payment }, say) => kindName(payment.kind, say) },
  { heading: 'dashboard.method', value: ({ payment }, say) => methodName(payment.method, say) },
  { heading: 'dashboard.status', value: ({ payment }, say) => paymentStatusName(payment, say) },
  {
    heading: 'dashboard.exports.whyItFailed',
    value: ({ payment }, say) =>
      payment.declineReason === null ? null : failureWords(payment.declineReason, say),
  },
  { heading: 'dashboard.amount', value: ({ payment }) => ({ cents: payment.amount }) },
  { heading: 'dashboard.discount', value: ({ payment }) => ({ cents: payment.discount }) },
  { heading: 'dashboard.customerFee', value: ({ payment }) => ({ cents: payment.customerFee }) },
  { heading: 'dashboard.exports.what.heading', value: ({ payment }) => ({ cents: payment.paidAmount }) },
  {
    heading: 'dashboard.fee',
    value: ({ payment }) => ({ cents: payment.paidAmount === null ? null : payment.platformFee }),
  },
  { heading: 'dashboard.exports.returned', value: ({ payment }) => ({ cents: payment.refundedAmount }) },
  { heading: 'dashboard.exports.net', value: ({ label }) => ({ cents: label?.netCents ?? null }) },
  { heading: 'dashboard.installments', value: ({ payment }) => payment.installmentsCount },
  { heading: 'dashboard.exports.availableAt', value: ({ payment }) => ({ at: payment.settlesAt }) },
  { heading: 'dashboard.exports.sent.heading', value: ({ payment }) => ({ at: payment.createdAt }) },
  { heading: 'dashboard.yourId', value: ({ payment }) => payment.externalId },
  { heading: 'dashboard.exports.paymentId', value: ({ payment }) => payment.id },
  { heading: 'dashboard.exports.pixId', value: ({ payment }) => payment.endToEndIdentifier },
];

/** Payments by the day on which they were paid, or created. */
const common = {
  operation: listPayments,
  async rows({ em, caller }: Visit, items: readonly ShownPayment[]): Promise<readonly Row[]> {
    const labels = await chargeLabels(
      em,
      caller,
      items.map(({ id }) => id),
    );
    return items.map((payment) => ({ payment, label: labels.get(payment.id) }));
  },
  columns: (visit: Visit) => [...WHO, seesTaxIds(visit.role) ? TAX_ID : MASKED_TAX_ID, ...WHAT],
};

export const paidSheet = sheet({
  ...common,
  id: 'paid',
  name: 'dashboard.exports.paymentsReceived',
  file: 'dashboard.payments2',
  days: ['paidFrom', 'paidTo'],
  dated: 'dashboard.paid3',
});

export const paymentsSheet = sheet({
  ...common,
  id: 'payments',
  name: 'dashboard.exports.allChargesAlsoOpenAnd',
  file: 'dashboard.exports.charges',
  days: ['createdFrom', 'createdTo'],
  dated: 'dashboard.exports.created2',
});
