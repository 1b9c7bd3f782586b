import { z } from 'zod';
import { amountCents, timestamp } from '../wire/fields.ts';
import { eventDocument } from './document.ts';

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

export const completed = z.strictObject({
  ...sent,
  status: z.literal('COMPLETE'),
  receiptUrl: z.string(),
  endToEndIdentifier: z.string().meta({ description: 'What the Central Bank knows the PIX by.' }),
});

export const failed = z.strictObject({
  ...sent,
  status: z.literal('FAILED'),
  receiptUrl: z.string().meta({ description: 'A page that tells that it was not made.' }),
  reason: z.string().meta({ description: 'Why, as the bank says; the money is in the balance again.' }),
});

const common = {
  id: 'tran_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  externalId: 'week-47',
  amount: 25_000,
  platformFee: 0,
  method: 'PIX' as const,
  devMode: true,
  createdAt: '2026-11-23T14:22:08.120Z',
  updatedAt: '2026-11-23T14:22:08.310Z',
};

export const exampleCompleted = {
  ...common,
  status: 'COMPLETE' as const,
  receiptUrl: `https://pay.example.com/receipt/${common.id}`,
  endToEndIdentifier: 'E99999999202611231422V4T6R2W9ZB5',
};

export const exampleFailed = {
  ...common,
  externalId: 'week-48',
  amount: 40_404,
  status: 'FAILED' as const,
  receiptUrl: `https://pay.example.com/receipt/${common.id}`,
  reason: 'account_closed',
};

/** Money to the store's own account, and to anybody's PIX key (contract section 7). */
export const payoutEvents = [
  eventDocument(
    'payout.completed',
    "A payout has arrived at the store's account",
    z.strictObject({ withdraw: completed }),
    { withdraw: exampleCompleted },
  ),
  eventDocument('payout.failed', 'A payout could not be made', z.strictObject({ withdraw: failed }), {
    withdraw: exampleFailed,
  }),
  eventDocument(
    'transfer.completed',
    'A transfer has arrived at its PIX key',
    z.strictObject({ transfer: completed }),
    { transfer: { ...exampleCompleted, externalId: 'supplier-7' } },
  ),
  eventDocument('transfer.failed', 'A transfer could not be made', z.strictObject({ transfer: failed }), {
    transfer: { ...exampleFailed, externalId: 'supplier-8', amount: 25_000, reason: 'key_not_found' },
  }),
];
