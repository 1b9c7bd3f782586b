import { z } from 'zod';

/** Whom an event is about, and who paid (contract section 7). */

const maskedTaxId = z.string().nullable().meta({ description: 'CPF or CNPJ, masked.' });

export const eventCustomer = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    name: z.string(),
    email: z.string(),
    taxId: z.string().meta({ description: 'CPF or CNPJ, masked.' }),
  })
  .nullable()
  .meta({ description: 'Null where no customer is known. What is not known of one is empty text.' });

const account = z.strictObject({
  name: z.string().nullable(),
  taxId: maskedTaxId,
  isSameAsCustomer: z.boolean().meta({ description: 'Whether the tax ids are the same.' }),
});

export const payerInformation = z
  .discriminatedUnion('method', [
    z.strictObject({ method: z.literal('PIX'), PIX: account }),
    z.strictObject({ method: z.literal('BOLETO'), BOLETO: account }),
    z.strictObject({
      method: z.literal('CARD'),
      CARD: z.strictObject({
        number: z.string().nullable().meta({ description: 'The last four digits.' }),
        brand: z.string().nullable(),
      }),
    }),
  ])
  .nullable()
  .meta({ description: 'Who paid, and how; null where there was nothing to pay.' });

/** Why a payment went back, or is disputed. */
export const reason = z.string().nullable().meta({
  description: 'As it was given with the refund or the dispute; null where none was.',
});

/** Of a payment, not of what was sold: that is the checkout's or the charge's. */
export const paymentMetadata = z.record(z.string(), z.unknown()).meta({
  description: 'What `simulate-payment` was sent with; empty for payments of real money.',
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
