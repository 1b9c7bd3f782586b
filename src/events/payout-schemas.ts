import { z } from 'zod';
import { amountCents, timestamp } from '../wire/fields.ts';

const sent = {
  id: z.string(),
  externalId: z.string(),
  subAccountId: z.string().optional().meta({
    description: 'The sub-account that a transfer was withdrawn from; absent for all others.',
  }),
  amount: amountCents,
  platformFee: z.int().meta({ description: 'Cents: the cost of sending.' }),
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
    endToEndIdentifier: z.string().meta({ description: "The Central Bank's id of the PIX." }),
  })
  .meta({ id: 'EventCompletedPayout' });
export type Completed = z.output<typeof completed>;

export const failed = z
  .strictObject({
    ...sent,
    status: z.literal('FAILED'),
    receiptUrl: z.string().meta({ description: 'A public page that shows that it failed.' }),
    reason: z.string().meta({ description: "The bank's reason; the money is in the balance again." }),
  })
  .meta({ id: 'EventFailedPayout' });
export type Failed = z.output<typeof failed>;

export const returned = z
  .strictObject({
    ...sent,
    status: z.enum(['COMPLETE', 'REFUNDED']).meta({ description: 'REFUNDED once everything is returned.' }),
    receiptUrl: z.string(),
    endToEndIdentifier: z.string().meta({ description: "The Central Bank's id of the PIX." }),
  })
  .meta({ id: 'EventReturnedPayout' });
export type Returned = z.output<typeof returned>;

/** The return, next to the payout or transfer. */
export const comeBack = z
  .strictObject({
    id: z.string().meta({ description: 'The id of this return: a payout may be returned in parts.' }),
    amount: amountCents.meta({
      description: 'Cents returned this time; they are in the balance again.',
    }),
    returnedAmount: amountCents.meta({ description: 'Cents returned in total, including earlier returns.' }),
    devMode: z.boolean(),
    returnedAt: timestamp.meta({ description: 'When it was returned, by the bank.' }),
  })
  .meta({ id: 'EventPayoutReturn' });
