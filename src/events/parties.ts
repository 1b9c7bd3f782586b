import { z } from 'zod';
import { payerOfPayment } from '../database/charge-payer.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Payment } from '../database/entities/payment.ts';
import { REFUND_INITIATORS } from '../domain/reversal.ts';
import { maskTaxId } from '../domain/tax-id.ts';
import type { ProviderPayment } from '../providers/provider.ts';
import { amountCents } from '../wire/fields.ts';

/** Whom an event is about, and who paid (contract section 7). Tax ids are masked. */

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
  .meta({ description: 'Null where no customer is known. What is not known of one is empty text.' });
export type EventCustomer = z.output<typeof eventCustomer>;

/** A customer as every event tells it; what is not known is empty text, as in answers. */
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
    isSameAsCustomer: z.boolean().meta({ description: 'Whether the tax ids are the same.' }),
  })
  .meta({ id: 'EventPayerAccount' });

const card = z
  .strictObject({
    number: z.string().nullable().meta({ description: 'The last four digits.' }),
    brand: z.string().nullable(),
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
  .meta({ description: 'Who paid, and how; null where there was nothing to pay.' });

/** Who paid, and how; null where there was nothing to pay. */
export function publishedPayer(
  { method, cardLastFour, cardBrand }: Pick<Charge, 'method' | 'cardLastFour' | 'cardBrand'>,
  customer: Customer | null,
  { name, taxId }: ProviderPayment['payer'],
): z.output<typeof payerInformation> {
  if (method === 'FREE') return null;
  if (method === 'CARD') return { method, CARD: { number: cardLastFour, brand: cardBrand } };
  const payer = {
    name,
    taxId: taxId && maskTaxId(taxId),
    isSameAsCustomer: customer?.taxId != null && customer.taxId === taxId,
  };
  return method === 'PIX' ? { method, PIX: payer } : { method, BOLETO: payer };
}

/** What events tell of a payment besides its charge. */
export interface PublishedPayment {
  readonly payer: ProviderPayment['payer'];
  /** What a simulated payment was sent with. */
  readonly metadata: Record<string, unknown>;
}

/** A payment as it is kept, and what takes its place where there is none. */
export function publishedPayment(payment: Payment | null): PublishedPayment {
  return { payer: payerOfPayment(payment), metadata: payment?.metadata ?? {} };
}

/** Of a payment, not of what was sold: that is the checkout's or the charge's. */
export const paymentMetadata = z.record(z.string(), z.unknown()).meta({
  description: 'What `simulate-payment` was sent with; empty for payments of real money.',
});

/** Why a payment went back, or is disputed. */
export const reason = z.string().nullable().meta({
  description: 'As it was given with the refund or the dispute; null where none was.',
});

/** Of a refund, which may be of a part. Ours. */
export const publishedRefund = z
  .strictObject({
    refundPublicId: z.string().meta({ description: 'Of the request, if there was one.' }),
    amount: amountCents.meta({ description: 'Cents that went back with it.' }),
    refundedAmount: amountCents.meta({
      description: 'Cents of the payment that are back with the payer by now.',
    }),
    initiatedBy: z.enum(REFUND_INITIATORS).meta({
      description: '`BANK` for a refund that was made at the bank and not asked for here.',
    }),
  })
  .meta({ id: 'EventRefund' });

export const exampleRefund = (amount: number): z.output<typeof publishedRefund> => ({
  refundPublicId: 'tran_01KAK5C3D4E5F6G7H8J9K0M1N2',
  amount,
  refundedAmount: amount,
  initiatedBy: 'STORE',
});

/** Of a dispute, which may be about a part. Ours. */
export const publishedDispute = z
  .strictObject({
    disputePublicId: z.string().meta({ description: 'The `disputeId` of `balance/movements`.' }),
    amount: amountCents.meta({ description: 'Cents of the payment that are disputed.' }),
  })
  .meta({ id: 'EventDispute' });

export const exampleDispute = (amount: number): z.output<typeof publishedDispute> => ({
  disputePublicId: 'disp_01KAK5C3D4E5F6G7H8J9K0M1N2',
  amount,
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
