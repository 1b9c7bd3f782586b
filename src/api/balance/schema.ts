import { z } from 'zod';
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS } from '../../domain/ledger.ts';
import { timestamp } from '../../wire/fields.ts';
import { fromInstant, toInstant } from '../frame/time-range.ts';
import { balanceView } from './balance-view.ts';

const account = z.enum(STATEMENT_ACCOUNTS);
const kind = z.enum(STATEMENT_KINDS);
const subject = (description: string) => z.string().nullable().meta({ description });

/** What a movement of money did to one part of the balance (ours). */
export const movementView = z
  .object({
    id: z.string().meta({ description: 'The same whenever it is asked for.' }),
    devMode: z.boolean(),
    account: account.meta({ description: 'The part of the balance that has changed.' }),
    kind,
    amount: z.int().meta({ description: 'Cents, after the fee; below zero where the account has less.' }),
    platformFee: z.int().meta({
      description: 'Cents that the platform kept of the movement; below zero where it gave them back.',
    }),
    balanceAfter: z.int().meta({ description: 'Cents in the account after it.' }),
    paymentId: subject('The payment that it is about.'),
    refundId: subject('The refund, by its `refundPublicId`.'),
    disputeId: subject('The dispute.'),
    payoutId: subject("The payout to the store's own account."),
    transferId: subject('The transfer to a PIX key.'),
    createdAt: timestamp.meta({ description: 'When it was booked; never before an earlier movement.' }),
  })
  .meta({ id: 'Movement' });
export type ShownMovement = z.output<typeof movementView>;

/** What a statement says beside its entries. */
export const statementFields = z.object({
  balance: z
    .object({ opening: balanceView, closing: balanceView })
    .meta({ description: 'Of the whole range from `from` to `to`, whatever page and filters.' }),
});

export const listMovementsQuery = z.object({
  account: account.optional(),
  kind: kind.optional(),
  from: fromInstant('Booked'),
  to: toInstant('Booked'),
});

/** What the API reference shows: a PIX charge of R$ 25,00 was paid. */
export const exampleMovement: ShownMovement = {
  id: 'entr_1000000000001A',
  devMode: true,
  account: 'AVAILABLE',
  kind: 'PAYMENT',
  amount: 2_420,
  platformFee: 80,
  balanceAfter: 2_420,
  paymentId: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  refundId: null,
  disputeId: null,
  payoutId: null,
  transferId: null,
  createdAt: '2026-12-04T14:31:55.602Z',
};

const nothing = { available: 0, pending: 0, blocked: 0 };

export const exampleStatementFields = {
  balance: { opening: nothing, closing: { ...nothing, available: 2_420 } },
};
