import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { MIN_PAYOUT_CENTS, PAYOUT_STATUSES } from '../../domain/payout.ts';
import { APPROVAL_REASONS, APPROVAL_STATUSES } from '../../domain/payout-controls.ts';
import { PIX_KEY_RULES, PIX_KEY_TYPES } from '../../domain/pix-key.ts';
import { amountCents, idText, text, timestamp } from '../../wire/fields.ts';
import { createdRange } from '../frame/time-range.ts';

export const payoutId = 'tran_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const AMOUNT_RULE = `must be an integer number of cents between ${MIN_PAYOUT_CENTS} (the minimum of a payout) and ${MAX_AMOUNT_CENTS}, such as 25000`;

/** What a payout may be for, in cents (contract section 3). */
export const payoutAmount = z
  .int({ error: AMOUNT_RULE })
  .min(MIN_PAYOUT_CENTS, { error: AMOUNT_RULE })
  .max(MAX_AMOUNT_CENTS, { error: AMOUNT_RULE })
  .meta({ description: `Cents, at least ${MIN_PAYOUT_CENTS}: 25000 is R$ 250.00.`, example: 25_000 });

const externalId = text(1, 255).meta({
  description:
    'Your own id, unique per store and environment: creating it again with the same content returns the first.',
  example: 'week-47',
});

const description = text(1, 500).nullish().meta({ example: 'Semana 47' });

/** The longest text that EMV allows for a code to be scanned, and so the longest key that there is. */
const MAX_KEY_LENGTH = 512;

const pixKeyType = z.enum(PIX_KEY_TYPES).meta({
  description: PIX_KEY_TYPES.map((type) => `\`${type}\` ${PIX_KEY_RULES[type]}`).join('; '),
  example: 'EMAIL',
});

/**
 * Where a transfer, or a v1 withdrawal, goes. Whether the key is one of its type is for `pixDestination` to
 * say.
 */
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
    "PENDING until the money has arrived (COMPLETE) or is back in the balance (FAILED). REFUNDED: it had arrived, and the payee's bank has sent all of it back.",
});

/** Body of POST `/payouts/approve`, `/payouts/reject` and the same of `/pix`. */
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
        'WAITING until somebody decides. RELEASED: the wait for a new PIX key is over. EXPIRED: nobody approved it in time.',
    }),
    reasons: z.array(z.enum(APPROVAL_REASONS)).meta({
      description:
        'Why it waits: AMOUNT is over the amount that needs an approval, NEW_PAYEE goes to a new PIX key.',
    }),
    releasesAt: timestamp
      .nullable()
      .meta({ description: 'When it is sent without an approval; null if it needs one.' }),
    expiresAt: timestamp
      .nullable()
      .meta({ description: 'When it fails without an approval; null if it is sent without one.' }),
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
  platformFee: z.int().meta({ description: 'Cents, on top of the amount: sending costs nothing.' }),
  returnedAmount: z.int().meta({
    description: "Cents that the payee's bank has sent back: they are in the balance again. Ours.",
  }),
  externalId: z.string(),
  description: z.string().nullable(),
  method: z.literal('PIX'),
  receiptUrl: z
    .string()
    .meta({ description: 'A page that tells how it stands, and the receipt once it is COMPLETE.' }),
  endToEndIdentifier: z
    .string()
    .nullable()
    .meta({ description: 'What the Central Bank knows the PIX by; null until it is COMPLETE.' }),
  reason: z.string().nullable().meta({ description: 'Why it FAILED; null otherwise.' }),
  approval: approvalView.nullable().meta({
    description:
      'The approval that it waits for, or waited for; null if it needs none. It is PENDING meanwhile.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const payoutView = z.object({ ...sentMoney, kind: z.literal('WITHDRAW') }).meta({ id: 'Payout' });
export type ShownPayout = z.output<typeof payoutView>;

export const transferView = z
  .object({
    ...sentMoney,
    pix: z.object({
      type: z.enum(PIX_KEY_TYPES),
      key: z
        .string()
        .meta({ description: "In the form of the Central Bank's directory; a CPF or CNPJ is masked." }),
      txid: z.string().nullable().meta({
        description:
          'From the BR Code: it is sent along, and the payee recognises the payment by it. Null if nothing is sent along. Ours.',
      }),
    }),
  })
  .meta({ id: 'Transfer' });
export type ShownTransfer = z.output<typeof transferView>;

/** What the API reference shows. */
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

/** What is not known of one yet that has just been created. */
export const exampleUnderWay = {
  status: 'PENDING' as const,
  endToEndIdentifier: null,
  updatedAt: examplePayout.createdAt,
};

/** What is different once somebody has decided about a large one. */
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
