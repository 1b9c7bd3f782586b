import { listPayments } from '../../../api/payments/routes.ts';
import type { ShownPayment } from '../../../api/payments/schema.ts';
import { type ChargeLabel, chargeLabels } from '../../../charges/charge-labels.ts';
import { formatTaxId, maskTaxId } from '../../../domain/tax-id.ts';
import type { Visit } from '../frame/visit.ts';
import { failureWords, kindName, methodName, statusName } from '../words.ts';
import { type Column, sheet } from './sheet.ts';

/** Roles that see whole tax ids, as on the page of a customer. */
const SEES_TAX_IDS: readonly string[] = ['owner', 'finance', 'support'];

/** Whether the reader may take whole tax ids home. */
export function seesTaxIds({ role }: Pick<Visit, 'role'>): boolean {
  return SEES_TAX_IDS.includes(role);
}

interface Row {
  readonly payment: ShownPayment;
  readonly label: ChargeLabel | undefined;
}

const TAX_ID: Column<Row> = {
  heading: ['CPF ou CNPJ', 'Tax id'],
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
  { heading: ['Pago em', 'Paid at'], value: ({ payment }) => ({ at: payment.paidAt }) },
  {
    heading: ['Cliente', 'Customer'],
    value: ({ payment, label }) => label?.customerName ?? payment.payer?.name ?? null,
  },
];

const WHAT: readonly Column<Row>[] = [
  { heading: ['E-mail', 'E-mail'], value: ({ label }) => label?.customerEmail ?? null },
  { heading: ['Produto', 'Product'], value: ({ label }) => label?.products.join(', ') || null },
  { heading: ['Descrição', 'Description'], value: ({ payment }) => payment.description },
  { heading: ['Tipo', 'Kind'], value: ({ payment }, say) => kindName(payment.kind, say) },
  { heading: ['Método', 'Method'], value: ({ payment }, say) => methodName(payment.method, say) },
  { heading: ['Situação', 'Status'], value: ({ payment }, say) => statusName(payment.status, say) },
  {
    heading: ['Motivo da falha', 'Why it failed'],
    value: ({ payment }, say) =>
      payment.declineReason === null ? null : failureWords(payment.declineReason, say),
  },
  { heading: ['Valor', 'Amount'], value: ({ payment }) => ({ cents: payment.amount }) },
  { heading: ['Desconto', 'Discount'], value: ({ payment }) => ({ cents: payment.discount }) },
  { heading: ['Valor pago', 'Paid'], value: ({ payment }) => ({ cents: payment.paidAmount }) },
  {
    heading: ['Taxa', 'Fee'],
    value: ({ payment }) => ({ cents: payment.paidAmount === null ? null : payment.platformFee }),
  },
  { heading: ['Devolvido', 'Returned'], value: ({ payment }) => ({ cents: payment.refundedAmount }) },
  { heading: ['Líquido', 'Net'], value: ({ label }) => ({ cents: label?.netCents ?? null }) },
  { heading: ['Parcelas', 'Installments'], value: ({ payment }) => payment.installmentsCount },
  { heading: ['Disponível em', 'Available at'], value: ({ payment }) => ({ at: payment.settlesAt }) },
  { heading: ['Criado em', 'Created at'], value: ({ payment }) => ({ at: payment.createdAt }) },
  { heading: ['Seu id', 'Your id'], value: ({ payment }) => payment.externalId },
  { heading: ['Id do pagamento', 'Payment id'], value: ({ payment }) => payment.id },
  { heading: ['Id do Pix', 'Pix id'], value: ({ payment }) => payment.endToEndIdentifier },
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
  columns: (visit: Visit) => [...WHO, seesTaxIds(visit) ? TAX_ID : MASKED_TAX_ID, ...WHAT],
};

export const paidSheet = sheet({
  ...common,
  id: 'paid',
  name: ['Pagamentos recebidos', 'Payments received'],
  file: ['pagamentos', 'payments'],
  days: ['paidFrom', 'paidTo'],
  dated: ['pagos', 'paid'],
});

export const paymentsSheet = sheet({
  ...common,
  id: 'payments',
  name: ['Todas as cobranças, também em aberto e recusadas', 'All charges, also open and declined ones'],
  file: ['cobrancas', 'charges'],
  days: ['createdFrom', 'createdTo'],
  dated: ['criadas', 'created'],
});
