import { z } from 'zod';
import type { PaidComponents } from '../../domain/charge.ts';
import { centsOfDecimal } from '../../domain/money.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import type { ProviderPayment, ProviderRefund } from '../ports/payment.ts';
import { BankError } from './bank-error.ts';
import { disputeIdOf, referenceOfId } from './ids.ts';
import { type ReadItems, readEach } from './read-each.ts';

/**
 * Schemas of banks' answers. New fields and new enumeration values may appear at any time ("Evolução da API Pix").
 * So statuses are strings, and unknown statuses are treated as non-terminal.
 */

export const cents = z.string().transform((text, context) => {
  const value = centsOfDecimal(text);
  if (value === null) context.addIssue({ code: 'custom', message: 'no amount' });
  return value ?? 0;
});
export const instant = z.coerce.date();
const part = z.object({ valor: cents }).optional();

const refundSchema = z.object({
  id: z.string(),
  valor: cents,
  natureza: z.string().nullish(),
  status: z.string(),
  motivo: z.string().nullish(),
});
export type BankRefund = z.output<typeof refundSchema>;

const shownPayment = z.object({
  endToEndId: z.string(),
  txid: z.string().nullish(),
  valor: cents,
  horario: instant,
  componentesValor: z
    .object({ original: part, juros: part, multa: part, desconto: part, abatimento: part })
    .optional(),
  /** Some banks send it, although it is not in the document; a payment is parsed without it. */
  pagador: z
    .object({ nome: z.string().nullish(), cpf: z.string().nullish(), cnpj: z.string().nullish() })
    .nullish()
    .catch(null),
  devolucoes: z.array(z.unknown()).nullish(),
});
/** A malformed refund does not make its payment unreadable. */
const paymentSchema = shownPayment.transform(({ devolucoes, ...payment }) => {
  const { items, unreadableIds } = readEach(refundSchema, devolucoes ?? [], 'id');
  return { ...payment, devolucoes: items, unreadableRefundIds: unreadableIds };
});
export type BankPayment = z.output<typeof paymentSchema>;

/** A rate, or an amount in reais, with its meaning ("modalidade"). One that cannot be read is not compared. */
const lateTerm = z.object({ modalidade: z.number(), valorPerc: cents }).optional().catch(undefined);

export const chargeSchema = z.object({
  status: z.string(),
  /** The number of revisions. */
  revisao: z.number().int().optional(),
  calendario: z
    .object({
      criacao: instant.optional(),
      expiracao: z.number().int().nonnegative().optional(),
      dataDeVencimento: z.string().optional(),
      validadeAposVencimento: z.number().int().nonnegative().optional(),
    })
    .optional(),
  chave: z.string(),
  valor: z.object({ original: cents, multa: lateTerm, juros: lateTerm }),
  location: z.string().optional(),
  loc: z.object({ location: z.string().optional() }).optional(),
  pixCopiaECola: z.string().optional(),
  brcode: z.string().optional(),
  textoImagemQRcode: z.string().optional(),
  pix: z.array(z.object({ endToEndId: z.string() })).optional(),
});
export type BankCharge = z.output<typeof chargeSchema>;

const listSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int() }) }),
  // Parsed one by one: a malformed item must not block the others.
  pix: z.array(z.unknown()).optional(),
});

/** Malformed items are parsed separately (read-notification.ts). */
const items = z.array(z.unknown()).optional();
const notificationSchema = z.object({ pix: items, recs: items, cobsr: items });

export const readCharge = readerOf('a charge', chargeSchema);
export const readPayment = readerOf('a payment', paymentSchema);
export const readRefund = readerOf('a refund', refundSchema);
export const readPaymentList = readerOf('a list of payments', listSchema);
export const readNotification = readerOf('a notification', notificationSchema);

/** Errors name invalid fields, never their values. */
export function readerOf<Schema extends z.ZodType>(what: string, schema: Schema) {
  return (body: unknown): z.output<Schema> => {
    const { data, error } = schema.safeParse(body);
    if (error === undefined) return data;
    const fields = error.issues.map(({ path }) => path.join('.') || 'all of it').join(', ');
    throw new BankError('INVALID', null, `the bank sent ${what} in an unknown form: ${fields}`);
  };
}

/** The payments of a list, and the ids of unreadable ones. */
export function readListedPayments(items: readonly unknown[]): ReadItems<BankPayment> {
  return readEach(paymentSchema, items, 'endToEndId');
}

/** Null if it belongs to no charge, such as a payment to the key itself. */
export function paymentOf(payment: BankPayment): ProviderPayment | null {
  const { endToEndId, txid, valor, horario, pagador, devolucoes, unreadableRefundIds } = payment;
  if (!txid) return null;
  return {
    providerPaymentId: endToEndId,
    endToEndIdentifier: endToEndId,
    reference: txid,
    amountCents: valor,
    paidAt: horario,
    payer: { name: pagador?.nome ?? null, taxId: pagador?.cpf ?? pagador?.cnpj ?? null },
    components: componentsOf(payment),
    refunds: devolucoes.map(providerRefundOf),
    disputes: devolucoes.filter(isMed).map((refund) => disputeOf(endToEndId, txid, refund)),
    ...(unreadableRefundIds.length > 0 && { unreadableRefundIds }),
  };
}

function componentsOf({ componentesValor: parts }: BankPayment): PaidComponents | null {
  if (parts?.original === undefined) return null;
  return {
    originalCents: parts.original.valor,
    interestCents: parts.juros?.valor ?? 0,
    fineCents: parts.multa?.valor ?? 0,
    discountCents: (parts.desconto?.valor ?? 0) + (parts.abatimento?.valor ?? 0),
  };
}

const REFUND_STATUSES: Readonly<Record<string, ProviderRefund['status']>> = {
  EM_PROCESSAMENTO: 'PENDING',
  DEVOLVIDO: 'RETURNED',
  NAO_REALIZADO: 'REFUSED',
};
/** MED, "Mecanismo Especial de Devolução": the payer's bank takes a payment back (Bacen, Resolução 103). */
const MED: Readonly<Record<string, { readonly kind: ProviderRefund['kind']; readonly reason: string }>> = {
  MED_FRAUDE: { kind: 'MED_FRAUD', reason: 'MED: fundada suspeita de fraude' },
  MED_OPERACIONAL: { kind: 'MED_OPERATIONAL', reason: 'MED: falha operacional' },
};

/** Whether the payer's bank requested it. Every natureza with this prefix counts, including those of later versions. */
export function isMed({ natureza }: { readonly natureza?: string | null | undefined }): boolean {
  return natureza?.startsWith('MED') ?? false;
}

/** The status of a refund. Unknown statuses are treated as non-terminal. */
export function refundStatusOf({ status }: BankRefund): ProviderRefund['status'] {
  return REFUND_STATUSES[status] ?? 'PENDING';
}

function providerRefundOf(refund: BankRefund): ProviderRefund {
  return {
    reference: referenceOfId(refund.id),
    amountCents: refund.valor,
    status: refundStatusOf(refund),
    kind: isMed(refund) ? (MED[refund.natureza ?? '']?.kind ?? 'MED_OTHER') : 'ORDINARY',
  };
}

/** A reversal that reached the payer is a lost dispute; one that the bank could not carry out is a won one. */
const DISPUTE_STATUSES = { PENDING: 'OPEN', RETURNED: 'LOST', REFUSED: 'WON' } as const;

function disputeOf(endToEndId: string, reference: string, refund: BankRefund): ProviderDispute {
  return {
    providerDisputeId: disputeIdOf({ endToEndId, refundId: refund.id }),
    reference,
    providerPaymentId: endToEndId,
    amountCents: refund.valor,
    status: DISPUTE_STATUSES[refundStatusOf(refund)],
    reason: MED[refund.natureza ?? '']?.reason ?? `MED: ${refund.natureza ?? ''}`,
  };
}
