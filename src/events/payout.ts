import { z } from 'zod';
import type { Payout } from '../database/entities/payout.ts';
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

/** A payout is told as a withdrawal. */
function as<Sent extends Completed | Failed>({ kind }: Payout, told: Sent): Told<Sent> {
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
};
