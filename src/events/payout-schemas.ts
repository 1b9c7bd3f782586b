import { z } from 'zod';
import { amountCents, timestamp } from '../wire/fields.ts';

const sent = {
  id: z.string(),
  externalId: z.string(),
  amount: amountCents,
  platformFee: z.int().meta({ description: 'Cents: sending costs nothing.' }),
  method: z.literal('PIX'),
  devMode: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const completed = z
  .strictObject({
    ...sent,
    status: z.literal('COMPLETE'),
    receiptUrl: z.string(),
    endToEndIdentifier: z.string().meta({ description: 'What the Central Bank knows the PIX by.' }),
  })
  .meta({ id: 'EventCompletedPayout' });
export type Completed = z.output<typeof completed>;

export const failed = z
  .strictObject({
    ...sent,
    status: z.literal('FAILED'),
    receiptUrl: z.string().meta({ description: 'A page that tells that it was not made.' }),
    reason: z.string().meta({ description: 'Why, as the bank says; the money is in the balance again.' }),
  })
  .meta({ id: 'EventFailedPayout' });
export type Failed = z.output<typeof failed>;

export const returned = z
  .strictObject({
    ...sent,
    status: z.enum(['COMPLETE', 'REFUNDED']).meta({ description: 'REFUNDED once all of it is back.' }),
    receiptUrl: z.string(),
    endToEndIdentifier: z.string().meta({ description: 'What the Central Bank knows the PIX by.' }),
  })
  .meta({ id: 'EventReturnedPayout' });
export type Returned = z.output<typeof returned>;

/** What came back, beside the payout or transfer. */
export const comeBack = z
  .strictObject({
    id: z.string().meta({ description: 'Of this return: a payout may come back in parts.' }),
    amount: amountCents.meta({
      description: 'Cents that came back this time; they are in the balance again.',
    }),
    returnedAmount: amountCents.meta({ description: 'The same with what came back before.' }),
    devMode: z.boolean(),
    returnedAt: timestamp.meta({ description: 'When the bank says it came back.' }),
  })
  .meta({ id: 'EventPayoutReturn' });
