import { z } from 'zod';
import { payerOfPayment } from '../database/charge-payer.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Payment } from '../database/entities/payment.ts';
import { CARD_WALLETS } from '../domain/card.ts';
import type { ChargeMethod } from '../domain/charge.ts';
import { REFUND_INITIATORS } from '../domain/reversal.ts';
import { maskTaxId } from '../domain/tax-id.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import { amountCents, timestamp } from '../wire/fields.ts';

/** The customer of an event and its payer (contract section 7). Tax ids are masked. */

export const eventCustomer = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    name: z.string(),
    email: z.string(),
    taxId: z.string().meta({ description: 'CPF or CNPJ, masked.' }),
  })
  .meta({ id: 'EventCustomer' })
  .nullable()
  .meta({ description: 'Null if no customer is known. Unknown fields are empty.' });
export type EventCustomer = z.output<typeof eventCustomer>;

/** A customer in events. Unknown fields are empty, as in API responses. */
export function publishedCustomer(customer: Customer | null): EventCustomer {
  return (
    customer && {
      id: customer.id,
      devMode: customer.devMode,
      name: customer.name ?? '',
      email: customer.email ?? '',
      taxId: customer.taxId === null ? '' : maskTaxId(customer.taxId),
    }
  );
}

const account = z
  .strictObject({
    name: z.string().nullable(),
    taxId: z.string().nullable().meta({ description: 'CPF or CNPJ, masked.' }),
    isSameAsCustomer: z.boolean().meta({ description: 'Whether payer and customer have the same tax id.' }),
  })
  .meta({ id: 'EventPayerAccount' });

const card = z
  .strictObject({
    number: z.string().nullable().meta({ description: 'The last four digits.' }),
    brand: z.string().nullable(),
    wallet: z.enum(CARD_WALLETS).optional().meta({ description: 'Only if the payer paid through one.' }),
  })
  .meta({ id: 'EventPayerCard' });

export const payerInformation = z
  .discriminatedUnion('method', [
    z.strictObject({ method: z.literal('PIX'), PIX: account }).meta({ id: 'EventPixPayer' }),
    z.strictObject({ method: z.literal('BOLETO'), BOLETO: account }).meta({ id: 'EventBoletoPayer' }),
    z.strictObject({ method: z.literal('CARD'), CARD: card }).meta({ id: 'EventCardPayer' }),
  ])
  .meta({ id: 'EventPayer' })
  .nullable()
  .meta({ description: 'The payer and the payment method; null if nothing had to be paid.' });

/** The payer and the payment method; null if nothing had to be paid. */
export function publishedPayer(
  {
    method,
    cardLastFour,
    cardBrand,
    cardWallet,
  }: Pick<Charge, 'method' | 'cardLastFour' | 'cardBrand' | 'cardWallet'>,
  customer: Customer | null,
  { name, taxId }: ProviderPayment['payer'],
): z.output<typeof payerInformation> {
  const account = {
    name,
    taxId: taxId && maskTaxId(taxId),
    isSameAsCustomer: customer?.taxId != null && customer.taxId === taxId,
  };
  const wallet = cardWallet !== null && { wallet: cardWallet };
  const payers: Readonly<Record<ChargeMethod, z.output<typeof payerInformation>>> = {
    PIX: { method: 'PIX', PIX: account },
    BOLETO: { method: 'BOLETO', BOLETO: account },
    CARD: { method: 'CARD', CARD: { number: cardLastFour, brand: cardBrand, ...wallet } },
    FREE: null,
  };
  return payers[method];
}

/** Event fields of a payment that its charge does not have. */
export interface PublishedPayment {
  readonly payer: ProviderPayment['payer'];
  /** The metadata sent with a simulated payment. */
  readonly metadata: Record<string, unknown>;
}

/** Event fields of a stored payment, or the defaults without one. */
export function publishedPayment(payment: Payment | null): PublishedPayment {
  return { payer: payerOfPayment(payment), metadata: payment?.metadata ?? {} };
}

/** Metadata of the payment, not of the checkout or charge. */
export const paymentMetadata = z.record(z.string(), z.unknown()).meta({
  description: 'The metadata sent with `simulate-payment`; empty for payments of real money.',
});

/** The reason for a refund or dispute. */
export const reason = z.string().nullable().meta({
  description: 'As sent with the refund or dispute; null if none was sent.',
});

/** A refund, which may be partial. Our addition. */
export const publishedRefund = z
  .strictObject({
    refundPublicId: z.string().meta({ description: 'The id of the request, if there was one.' }),
    amount: amountCents.meta({ description: 'Cents of this refund.' }),
    refundedAmount: amountCents.meta({
      description: 'Cents refunded so far, including this refund.',
    }),
    initiatedBy: z.enum(REFUND_INITIATORS).meta({
      description: '`BANK` for a refund that was made at the bank, without a request to Recebe.',
    }),
  })
  .meta({ id: 'EventRefund' });

export const exampleRefund = (amount: number): z.output<typeof publishedRefund> => ({
  refundPublicId: 'tran_01KAK5C3D4E5F6G7H8J9K0M1N2',
  amount,
  refundedAmount: amount,
  initiatedBy: 'STORE',
});

/** A dispute, which may be partial. Our addition. */
export const publishedDispute = z
  .strictObject({
    disputePublicId: z.string().meta({ description: 'The `disputeId` of `balance/movements`.' }),
    amount: z.int().min(0).meta({
      description: 'The disputed amount in cents, at most what refunds had left of the payment.',
    }),
    excessAmount: z.int().meta({
      description:
        'Cents that the provider took beyond `amount`, as refunds had already returned them; negative if it returned a part of a lost dispute.',
    }),
    status: z.enum(['OPEN', 'WON', 'LOST']).meta({ description: 'The status that this event announces.' }),
    respondBy: timestamp.nullable().meta({
      description: 'Until when evidence is accepted; null if the provider names no time.',
    }),
    evidenceSubmittedAt: timestamp.nullable().meta({
      description: 'When evidence was first seen at the provider; null if there is none.',
    }),
  })
  .meta({ id: 'EventDispute' });

export const exampleDispute = (
  amount: number,
  status: z.output<typeof publishedDispute>['status'] = 'OPEN',
): z.output<typeof publishedDispute> => ({
  disputePublicId: 'disp_01KAK5C3D4E5F6G7H8J9K0M1N2',
  amount,
  excessAmount: 0,
  status,
  respondBy: '2026-12-14T10:05:12.904Z',
  evidenceSubmittedAt: null,
});

/** The customer of all examples. */
export const exampleCustomer = {
  id: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  devMode: true,
  name: 'Ana Souza',
  email: 'ana@example.com',
  taxId: '529.***.***-**',
};

export const examplePixPayer = {
  method: 'PIX' as const,
  PIX: { name: 'Ana Souza', taxId: '529.***.***-**', isSameAsCustomer: true },
};

export const exampleCardPayer = { method: 'CARD' as const, CARD: { number: '4242', brand: 'visa' } };
