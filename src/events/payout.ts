import { z } from 'zod';
import type { Payout } from '../database/entities/payout.ts';
import type { PayoutReturn } from '../database/entities/payout-return.ts';
import type { EndedTransfer } from '../providers/provider.ts';
import { amountCents, timestamp } from '../wire/fields.ts';
import { defineEvent } from './definition.ts';

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
type Completed = z.output<typeof completed>;

export const failed = z
  .strictObject({
    ...sent,
    status: z.literal('FAILED'),
    receiptUrl: z.string().meta({ description: 'A page that tells that it was not made.' }),
    reason: z.string().meta({ description: 'Why, as the bank says; the money is in the balance again.' }),
  })
  .meta({ id: 'EventFailedPayout' });
type Failed = z.output<typeof failed>;

const returned = z
  .strictObject({
    ...sent,
    status: z.enum(['COMPLETE', 'REFUNDED']).meta({ description: 'REFUNDED once all of it is back.' }),
    receiptUrl: z.string(),
    endToEndIdentifier: z.string().meta({ description: 'What the Central Bank knows the PIX by.' }),
  })
  .meta({ id: 'EventReturnedPayout' });
type Returned = z.output<typeof returned>;

/** What came back, beside the payout or transfer. */
const comeBack = z
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

type Told<Sent> = { readonly withdraw: Sent } | { readonly transfer: Sent };

/** The `data` of `payout.*` and `transfer.*` (contract section 7). No key: it may be somebody's tax id. */
export function payoutEventData(
  payout: Payout,
  answer: EndedTransfer,
  publicUrl: string,
): Told<Completed> | Told<Failed> {
  const told = {
    id: payout.id,
    externalId: payout.externalId,
    amount: payout.amountCents,
    platformFee: payout.platformFeeCents,
    status: answer.outcome,
    method: 'PIX' as const,
    devMode: payout.devMode,
    receiptUrl: `${publicUrl}/receipt/${payout.id}`,
  };
  const times = { createdAt: payout.createdAt.toISOString(), updatedAt: payout.updatedAt.toISOString() };
  if (answer.outcome === 'FAILED') {
    return as(payout, { ...told, status: answer.outcome, reason: answer.reason, ...times });
  }
  const { outcome, endToEndIdentifier } = answer;
  return as(payout, { ...told, status: outcome, endToEndIdentifier, ...times });
}

/** The `data` of `payout.returned` and `transfer.returned`. @param payout as it is with this return. */
export function payoutReturnedData(
  payout: Payout,
  { id, amountCents: amount, returnedAt }: PayoutReturn,
  publicUrl: string,
): Told<Returned> & { readonly return: z.output<typeof comeBack> } {
  const told = {
    id: payout.id,
    externalId: payout.externalId,
    amount: payout.amountCents,
    platformFee: payout.platformFeeCents,
    status: payout.status === 'REFUNDED' ? payout.status : ('COMPLETE' as const),
    method: 'PIX' as const,
    devMode: payout.devMode,
    receiptUrl: `${publicUrl}/receipt/${payout.id}`,
    endToEndIdentifier: payout.endToEndIdentifier ?? '',
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
  const { devMode, returnedCents: returnedAmount } = payout;
  const back = { id, amount, returnedAmount, devMode, returnedAt: returnedAt.toISOString() };
  return { ...as(payout, told), return: back };
}

/** A payout is told as a withdrawal. */
function as<Sent extends Completed | Failed | Returned>({ kind }: Payout, told: Sent): Told<Sent> {
  return kind === 'PAYOUT' ? { withdraw: told } : { transfer: told };
}

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

/** Money to the store's own account, and to anybody's PIX key (contract section 7). */
export const payoutEvents = {
  'payout.completed': defineEvent(
    "A payout has arrived at the store's account",
    z.strictObject({ withdraw: completed }),
    { withdraw: exampleCompleted },
  ),
  'payout.failed': defineEvent('A payout could not be made', z.strictObject({ withdraw: failed }), {
    withdraw: exampleFailed,
  }),
  'transfer.completed': defineEvent(
    'A transfer has arrived at its PIX key',
    z.strictObject({ transfer: completed }),
    { transfer: { ...exampleCompleted, externalId: 'supplier-7' } },
  ),
  'transfer.failed': defineEvent('A transfer could not be made', z.strictObject({ transfer: failed }), {
    transfer: { ...exampleFailed, externalId: 'supplier-8', amount: 25_000, reason: 'key_not_found' },
  }),
  'payout.returned': defineEvent(
    "The payee's bank has sent a payout back, or a part of it",
    z.strictObject({ withdraw: returned, return: comeBack }),
    { withdraw: exampleReturned, return: exampleReturn },
  ),
  'transfer.returned': defineEvent(
    "The payee's bank has sent a transfer back, or a part of it",
    z.strictObject({ transfer: returned, return: comeBack }),
    {
      transfer: { ...exampleReturned, externalId: 'supplier-9', amount: 25_000 },
      return: { ...exampleReturn, amount: 25_000, returnedAmount: 25_000 },
    },
  ),
};
