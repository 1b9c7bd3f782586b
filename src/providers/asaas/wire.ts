import { z } from 'zod';
import { type CivilDate, civilDate, isCivilDate, saoPauloMidnight } from '../../domain/civil-date.ts';
import type { ProviderPayment, ProviderRefund } from '../ports/payment.ts';
import { ProviderError } from '../provider-error.ts';

/** Money that the account sent. */
export type AsaasTransfer = z.output<typeof transferSchema>;
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
const paymentSchema = z.object({
  id: z.string().min(1),
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
  bankSlipUrl: optional(z.string()),
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
const customersSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), deleted: z.boolean().default(false) })),
});
const createdSchema = z.object({ id: z.string().min(1) });

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

/** The money of a paid charge. @param transaction its PIX; null for a boleto paid by its bar code. */
export function moneyOf(payment: AsaasPayment, transaction: AsaasPixTransaction | null): ProviderPayment {
  const { id, value, originalValue, interestValue } = payment;
  return {
    providerPaymentId: id,
    reference: id,
    amountCents: value,
    paidAt: paidAtOf(payment, transaction?.effectiveDate ?? null),
    payer: { name: transaction?.externalAccount?.name ?? null, taxId: null },
    endToEndIdentifier: transaction?.endToEndIdentifier ?? null,
    components:
      originalValue === null || interestValue === null || originalValue + interestValue !== value
        ? null
        : { originalCents: originalValue, interestCents: interestValue, fineCents: 0, discountCents: 0 },
    refunds: (payment.refunds ?? []).map(shownRefund),
  };
}

/** Refunds have no id. Recebe's carry theirs in the description; others are known by their time and amount. */
function shownRefund({
  description,
  dateCreated,
  value,
  status,
}: z.output<typeof refundSchema>): ProviderRefund {
  return {
    reference: description ?? `${dateCreated ?? ''}/${value}`,
    amountCents: value,
    status: refundStatusOf(status),
    kind: 'ORDINARY',
  };
}

function refundStatusOf(status: string): ProviderRefund['status'] {
  if (status === 'DONE') return 'RETURNED';
  return status === 'CANCELLED' ? 'REFUSED' : 'PENDING';
}

/** Times without a zone are those of São Paulo, which has had no daylight saving time since 2019. */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})$/;
const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** For a boleto paid by its bar code Asaas names only the day: its noon stands for it. */
function paidAtOf({ clientPaymentDate, paymentDate }: AsaasPayment, effectiveDate: string | null): Date {
  const [, date, time] = LOCAL_TIME.exec(effectiveDate ?? '') ?? [];
  if (date !== undefined) return new Date(`${date}T${time}-03:00`);
  const paidOn = clientPaymentDate ?? paymentDate;
  if (paidOn === null) throw new ProviderError('RETRY', 'Asaas does not name the day of the payment yet');
  return localNoon(paidOn);
}

/** Stands for a day of which Asaas names no time. */
export function localNoon(day: CivilDate): Date {
  return new Date(saoPauloMidnight(day).getTime() + HALF_A_DAY_MS);
}
