import { z } from 'zod';
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS } from '../../domain/ledger.ts';
import { timestamp } from '../../wire/fields.ts';
import { fromInstant, toInstant } from '../frame/time-range.ts';
import { balanceView } from './balance-fields.ts';

const account = z.enum(STATEMENT_ACCOUNTS);
const kind = z.enum(STATEMENT_KINDS);
const subject = (description: string) => z.string().nullable().meta({ description });

/** The change that a movement made to one part of the balance (our addition). */
export const movementView = z
  .object({
    id: z.string().meta({ description: 'Stays the same in every response.' }),
    devMode: z.boolean(),
    account: account.meta({ description: 'The part of the balance that changed.' }),
    kind,
    amount: z.int().meta({ description: 'Cents, after the fee; negative if the part decreased.' }),
    platformFee: z.int().meta({
      description: 'Cents that the platform kept of the movement; negative if it returned them.',
    }),
    balanceAfter: z.int().meta({ description: 'Cents in this part of the balance afterwards.' }),
    paymentId: subject('The payment that caused it.'),
    refundId: subject('The refund, by its `refundPublicId`.'),
    disputeId: subject('The dispute.'),
    payoutId: subject("The payout to the store's own account."),
    transferId: subject('The transfer to a PIX key.'),
    subAccountId: subject('The sub-account that the money went to, or came from.'),
    createdAt: timestamp.meta({
      description: 'When it was booked; never earlier than the previous movement.',
    }),
  })
  .meta({ id: 'Movement' });
export type ShownMovement = z.output<typeof movementView>;

/** Fields of a statement in addition to its entries. */
export const statementFields = z.object({
  balance: z
    .object({ opening: balanceView, closing: balanceView })
    .meta({ description: 'For the whole range from `from` to `to`, regardless of page and filters.' }),
});

export const listMovementsQuery = z.object({
  account: account.optional(),
  kind: kind.optional(),
  from: fromInstant('Booked'),
  to: toInstant('Booked'),
});

/** The example of the API reference: a paid PIX charge of R$ 25,00. */
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
  subAccountId: null,
  createdAt: '2026-12-04T14:31:55.602Z',
};

const nothing = { available: 0, pending: 0, blocked: 0 };

export const exampleStatementFields = {
  balance: { opening: nothing, closing: { ...nothing, available: 2_420 } },
};
