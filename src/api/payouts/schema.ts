import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { MIN_PAYOUT_CENTS, PAYOUT_STATUSES } from '../../domain/payout.ts';
import { APPROVAL_REASONS, APPROVAL_STATUSES } from '../../domain/payout-approval.ts';
import { PIX_KEY_RULES, PIX_KEY_TYPES } from '../../domain/pix-key.ts';
import { amountCents, idText, text, timestamp } from '../../wire/fields.ts';
import { createdRange } from '../frame/time-range.ts';

export const payoutId = 'tran_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const AMOUNT_RULE = `must be an integer number of cents between ${MIN_PAYOUT_CENTS} (the minimum of a payout) and ${MAX_AMOUNT_CENTS}, such as 25000`;

/** The range of a payout in cents (contract section 3). */
export const payoutAmount = z
  .int({ error: AMOUNT_RULE })
  .min(MIN_PAYOUT_CENTS, { error: AMOUNT_RULE })
  .max(MAX_AMOUNT_CENTS, { error: AMOUNT_RULE })
  .meta({ description: `Cents, at least ${MIN_PAYOUT_CENTS}: 25000 is R$ 250.00.`, example: 25_000 });

const externalId = text(1, 255).meta({
  description:
    'Your own id, unique per store and environment. Repeating a request with the same content returns the first payout.',
  example: 'week-47',
});

const description = text(1, 500).nullish().meta({ example: 'Semana 47' });

/** The longest text of a BR Code by EMV, which is longer than any other key. */
const MAX_KEY_LENGTH = 512;

const pixKeyType = z.enum(PIX_KEY_TYPES).meta({
  description: PIX_KEY_TYPES.map((type) => `\`${type}\` ${PIX_KEY_RULES[type]}`).join('; '),
  example: 'EMAIL',
});

/** The destination of money that goes to a PIX key. `pixDestination` checks that the key fits its type. */
export const pixBody = z.strictObject({
  key: text(1, MAX_KEY_LENGTH).meta({ example: 'ana@example.com' }),
  type: pixKeyType,
});

/** Body of POST `/payouts/create`. */
export const createPayoutBody = z.strictObject({ amount: payoutAmount, externalId, description });

/** Body of POST `/pix/send`. */
export const sendPixBody = z.strictObject({ amount: amountCents, externalId, description, pix: pixBody });

/** Query of GET `/payouts/get` and `/pix/get`. */
export const payoutQuery = z
  .object({ id: idText(payoutId).optional(), externalId: externalId.optional() })
  .refine(({ id, externalId }) => (id === undefined) !== (externalId === undefined), {
    error: 'exactly one of id and externalId is required',
    path: ['externalId'],
  });

const status = z.enum(PAYOUT_STATUSES).meta({
  description:
    "PENDING until the money has arrived (COMPLETE) or is back in the balance (FAILED). REFUNDED: it arrived, and later the payee's bank returned all of it.",
});

/** Body of POST `/payouts/approve`, `/payouts/reject`, `/pix/approve` and `/pix/reject`. */
export const decisionBody = z.strictObject({ id: idText(payoutId) });

/** Filters of GET `/payouts/list` and `/pix/list` (contract section 1, "Filters"). */
export const payoutFilters = z.object({
  id: idText(payoutId).optional(),
  externalId: z.string().optional(),
  status: status.optional(),
  ...createdRange,
});

export const approvalView = z
  .object({
    status: z.enum(APPROVAL_STATUSES).meta({
      description:
        'WAITING until someone decides. RELEASED: the wait for a new PIX key is over. EXPIRED: nobody approved it in time.',
    }),
    reasons: z.array(z.enum(APPROVAL_REASONS)).meta({
      description:
        'Why it waits. AMOUNT: it exceeds the amount that needs an approval. NEW_PAYEE: it goes to a new PIX key. LOST_AUTHORITY: its creator may no longer send money, so it needs an approval.',
    }),
    releasesAt: timestamp
      .nullable()
      .meta({ description: 'When it is sent without an approval; null if an approval is required.' }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: 'When it fails without an approval; null if no approval is required.' }),
    decidedAt: timestamp
      .nullable()
      .meta({ description: 'When it was approved, released, rejected or expired.' }),
  })
  .meta({ id: 'PayoutApproval' });

const sentMoney = {
  id: z.string(),
  status,
  devMode: z.boolean(),
  amount: amountCents,
  platformFee: z
    .int()
    .meta({ description: 'Cents, charged in addition to the amount: the cost of sending.' }),
  returnedAmount: z.int().meta({
    description: "Cents that the payee's bank returned to the balance. Our addition.",
  }),
  externalId: z.string(),
  description: z.string().nullable(),
  method: z.literal('PIX'),
  receiptUrl: z
    .string()
    .meta({ description: 'A public page with the status, and the receipt once it is COMPLETE.' }),
  endToEndIdentifier: z
    .string()
    .nullable()
    .meta({ description: "The Central Bank's id of the PIX; null until it is COMPLETE." }),
  reason: z.string().nullable().meta({ description: 'Why it FAILED; null otherwise.' }),
  approval: approvalView.nullable().meta({
    description:
      'The approval that it waits or waited for; null if it needs none. The payout is PENDING meanwhile.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const payoutView = z.object({ ...sentMoney, kind: z.literal('WITHDRAW') }).meta({ id: 'Payout' });
export type ShownPayout = z.output<typeof payoutView>;

export const transferView = z
  .object({
    ...sentMoney,
    subAccountId: z.string().optional().meta({
      description: 'The sub-account that it was withdrawn from; absent for all other transfers.',
    }),
    pix: z.object({
      type: z.enum(PIX_KEY_TYPES),
      key: z
        .string()
        .meta({ description: "In the format of the Central Bank's directory; a CPF or CNPJ is masked." }),
      txid: z.string().nullable().meta({
        description:
          'The txid of the BR Code, sent along so that the payee recognises the payment. Null without one. Our addition.',
      }),
    }),
  })
  .meta({ id: 'Transfer' });
export type ShownTransfer = z.output<typeof transferView>;

/** The example of the API reference. */
export const examplePayout: ShownPayout = {
  id: payoutId,
  kind: 'WITHDRAW',
  status: 'COMPLETE',
  devMode: true,
  amount: 25_000,
  platformFee: 0,
  returnedAmount: 0,
  externalId: 'week-47',
  description: 'Semana 47',
  method: 'PIX',
  receiptUrl: `https://pay.example.com/receipt/${payoutId}`,
  endToEndIdentifier: 'E99999999202611231422V4T6R2W9ZB5',
  reason: null,
  approval: null,
  createdAt: '2026-11-23T14:22:08.120Z',
  updatedAt: '2026-11-23T14:22:08.310Z',
};

/** Fields that are unknown right after creation. */
export const exampleUnderWay = {
  status: 'PENDING' as const,
  endToEndIdentifier: null,
  updatedAt: examplePayout.createdAt,
};

/** The changed fields of a large payout after a decision. */
export function exampleDecided(status: 'APPROVED' | 'REJECTED') {
  const approval = {
    status,
    reasons: ['AMOUNT' as const],
    releasesAt: null,
    expiresAt: '2026-11-26T14:22:08.120Z',
    decidedAt: '2026-11-23T15:01:40.007Z',
  };
  return { ...exampleUnderWay, amount: 2_500_000, approval };
}

const { kind: _, ...exampleSent } = examplePayout;

export const exampleTransfer: ShownTransfer = {
  ...exampleSent,
  externalId: 'supplier-7',
  description: 'Fornecedor',
  pix: { type: 'EMAIL', key: 'ana@example.com', txid: null },
};
