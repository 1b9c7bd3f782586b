import { z } from 'zod';
import { defineEvent } from './definition.ts';
import {
  type Completed,
  comeBack,
  completed,
  type Failed,
  failed,
  type Returned,
  returned,
} from './payout-schemas.ts';

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

const exampleCompleted: Completed = {
  ...common,
  status: 'COMPLETE',
  receiptUrl: `https://pay.example.com/receipt/${common.id}`,
  endToEndIdentifier: 'E99999999202611231422V4T6R2W9ZB5',
};

const exampleFailed: Failed = {
  ...common,
  externalId: 'week-48',
  amount: 40_404,
  status: 'FAILED',
  receiptUrl: `https://pay.example.com/receipt/${common.id}`,
  reason: 'account_closed',
};

const exampleReturned: Returned = {
  ...exampleCompleted,
  externalId: 'week-49',
  amount: 40_505,
  status: 'REFUNDED',
};
const exampleReturn = {
  id: 'tran_01KAK9G7B2C3D4E5F6G7H8J9KM',
  amount: 40_505,
  returnedAmount: 40_505,
  devMode: true,
  returnedAt: '2026-11-24T10:02:31.000Z',
};

/** Payouts to the store's own account, and transfers to any PIX key (contract section 7). */
export const payoutEvents = {
  'payout.completed': defineEvent(
    "A payout arrived at the store's account",
    z.strictObject({ withdraw: completed }),
    { withdraw: exampleCompleted },
  ),
  'payout.failed': defineEvent('A payout failed', z.strictObject({ withdraw: failed }), {
    withdraw: exampleFailed,
  }),
  'transfer.completed': defineEvent(
    'A transfer arrived at its PIX key',
    z.strictObject({ transfer: completed }),
    { transfer: { ...exampleCompleted, externalId: 'supplier-7' } },
  ),
  'transfer.failed': defineEvent('A transfer failed', z.strictObject({ transfer: failed }), {
    transfer: { ...exampleFailed, externalId: 'supplier-8', amount: 25_000, reason: 'key_not_found' },
  }),
  'payout.returned': defineEvent(
    "The payee's bank returned a payout, fully or partially",
    z.strictObject({ withdraw: returned, return: comeBack }),
    { withdraw: exampleReturned, return: exampleReturn },
  ),
  'transfer.returned': defineEvent(
    "The payee's bank returned a transfer, fully or partially",
    z.strictObject({ transfer: returned, return: comeBack }),
    {
      transfer: { ...exampleReturned, externalId: 'supplier-9', amount: 25_000 },
      return: { ...exampleReturn, amount: 25_000, returnedAmount: 25_000 },
    },
  ),
};
