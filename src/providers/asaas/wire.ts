import { z } from 'zod';
import { civilDate, isCivilDate } from '../../domain/civil-date.ts';
import { ID_PREFIX } from '../../domain/ids.ts';
import { ProviderError } from '../provider-error.ts';

/** Money that the account sent. */
export type AsaasTransfer = z.output<typeof transferSchema>;
export type AsaasRefund = z.output<typeof refundSchema>;
export type AsaasChargeback = z.output<typeof chargebackSchema>;
export type AsaasPixTransaction = z.output<typeof pixTransactionSchema>;
/** A payment at Asaas is what Recebe calls a charge: it exists before anyone pays. */
export type AsaasPayment = z.output<typeof paymentSchema>;

/** Numbers of reais with two decimals. Others are not money, and are refused. */
const cents = z.number().transform((reais, context) => {
  const whole = Math.round(reais * 100);
  if (Number.isSafeInteger(whole) && Math.abs(reais * 100 - whole) < 1e-4) return whole;
  context.addIssue({ code: 'custom', message: 'must be reais with two decimals' });
  return z.NEVER;
});
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);
const day = z.string().refine(isCivilDate).transform(civilDate);

const refundSchema = z.object({
  dateCreated: optional(z.string()),
  status: z.string(),
  value: cents,
  description: optional(z.string()),
});
const chargebackSchema = z.object({
  status: z.string(),
  reason: optional(z.string()),
  value: optional(cents),
  deadlineToSendDisputeDocuments: optional(day).catch(null),
});
const cardSchema = z.object({
  creditCardNumber: z.string().regex(/^\d{4}$/),
  creditCardBrand: z.string().min(1).max(50),
});
const paymentSchema = z.object({
  id: z.string().min(1),
  installment: optional(z.string()),
  installmentNumber: optional(z.int()),
  customer: optional(z.string()),
  value: cents,
  originalValue: optional(cents),
  interestValue: optional(cents),
  description: optional(z.string()),
  billingType: z.string(),
  status: z.string(),
  pixTransaction: optional(z.string()),
  dateCreated: optional(day),
  dueDate: optional(day),
  paymentDate: optional(day),
  clientPaymentDate: optional(day),
  externalReference: optional(z.string()),
  deleted: z.boolean().default(false),
  nossoNumero: optional(z.string()),
  creditDate: optional(day).catch(null),
  estimatedCreditDate: optional(day).catch(null),
  bankSlipUrl: optional(z.string()),
  invoiceUrl: optional(z.string()),
  creditCard: optional(cardSchema).catch(null),
  chargeback: optional(chargebackSchema),
  refunds: optional(z.array(refundSchema)),
});
const listSchema = z.object({ hasMore: z.boolean(), data: z.array(paymentSchema) });
const pageSchema = z.object({ hasMore: z.boolean(), data: z.array(z.unknown()) });
const transferSchema = z.object({
  id: z.string().min(1),
  value: cents,
  status: z.string(),
  dateCreated: day,
  endToEndIdentifier: optional(z.string()),
  failReason: optional(z.string()),
  externalReference: optional(z.string()),
  bankAccount: optional(z.object({ pixAddressKey: optional(z.string()) })),
});
const transfersSchema = z.object({ hasMore: z.boolean(), data: z.array(transferSchema) });
const customerSchema = z.object({ name: optional(z.string()), cpfCnpj: optional(z.string()) });

const pixTransactionSchema = z.object({
  endToEndIdentifier: optional(z.string()),
  effectiveDate: optional(z.string()),
  externalAccount: optional(z.object({ name: optional(z.string()) })),
});
const qrCodeSchema = z.object({ payload: z.string().min(1) });
const slipSchema = z.object({
  barCode: z.string().regex(/^\d{44}$/),
  nossoNumero: z.string().min(1),
});
const financialTransactionSchema = z.object({
  id: z.string().min(1),
  value: cents,
  balance: optional(cents).catch(null),
  type: z.string().min(1),
  paymentId: optional(z.string()),
});
const customersSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), deleted: z.boolean().default(false) })),
});
const createdSchema = z.object({ id: z.string().min(1) });
const installmentSchema = z.object({ installmentCount: z.int().min(1) });

export const readPayment = reader(paymentSchema);
export const readPayments = reader(listSchema);
export const readPage = reader(pageSchema);
export const readTransfer = reader(transferSchema);
export const readTransfers = reader(transfersSchema);
export const readCustomer = reader(customerSchema);
export const readPixTransaction = reader(pixTransactionSchema);
export const readQrCode = reader(qrCodeSchema);
export const readSlip = reader(slipSchema);
export const readCustomers = reader(customersSchema);
export const readCreated = reader(createdSchema);
export const readInstallment = reader(installmentSchema);
export const readChargeback = reader(chargebackSchema);
export const readFinancialTransaction = reader(financialTransactionSchema);

/** @throws ProviderError RETRY naming the fields that could not be read, and no value: it may be personal. */
function reader<Schema extends z.ZodType>(schema: Schema): (body: unknown) => z.output<Schema> {
  return (body) => {
    const { data, error } = schema.safeParse(body);
    if (error === undefined) return data;
    const fields = error.issues.map(({ path }) => path.join('.')).join(', ');
    throw new ProviderError('RETRY', `Asaas answered with unreadable fields: ${fields}`);
  };
}

/** A payment of a page; null if it cannot be read. */
export function readListedPayment(item: unknown): AsaasPayment | null {
  return paymentSchema.safeParse(item).data ?? null;
}

/** Nobody has paid, and the code can be paid. A status that this release does not know counts as open. */
const PAID: readonly string[] = [
  'RECEIVED',
  'CONFIRMED',
  'REFUNDED',
  'REFUND_REQUESTED',
  'REFUND_IN_PROGRESS',
  'CHARGEBACK_REQUESTED',
  'CHARGEBACK_DISPUTE',
  'AWAITING_CHARGEBACK_REVERSAL',
];

/**
 * OPEN until it is paid or removed. A payment that the merchant marked as received in cash brought no money to the
 * account, and cannot be paid.
 */
export function standingOf({
  status,
  deleted,
}: Pick<AsaasPayment, 'status' | 'deleted'>): 'OPEN' | 'PAID' | 'CLOSED' {
  // Asaas may report money that came for a removed charge.
  if (PAID.includes(status)) return 'PAID';
  return deleted || status === 'RECEIVED_IN_CASH' ? 'CLOSED' : 'OPEN';
}

/** On the page for a credit card, Asaas offers debit cards too. */
export function isByCard({ billingType }: Pick<AsaasPayment, 'billingType'>): boolean {
  return billingType === 'CREDIT_CARD' || billingType === 'DEBIT_CARD';
}

/**
 * The charge's reference: the id of its payment, but of a card the charge's own id. A card is charged once its row exists, and
 * may be several payments here, one per installment.
 */
export function referenceOf(payment: Pick<AsaasPayment, 'id' | 'billingType' | 'externalReference'>): string {
  const { id, externalReference } = payment;
  return isByCard(payment) && externalReference !== null ? ID_PREFIX.cardCharge + externalReference : id;
}

/** The id of a payment of several installments is that of all of them, and the id of any other is its own. */
export function paymentIdOf({ id, installment }: Pick<AsaasPayment, 'id' | 'installment'>): string {
  return installment ?? id;
}

/** The part of a charge's id that is its reference at Asaas. Payments of other programs have others. */
const OWN_REFERENCE = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether Recebe ordered a payment. */
export function isOwn(item: unknown): boolean {
  return OWN_REFERENCE.test(String(Object(item).externalReference ?? ''));
}

/** The id of something that could not be read; empty if it has none. */
export function idOf(item: unknown): string {
  return String(Object(item).id ?? '');
}
