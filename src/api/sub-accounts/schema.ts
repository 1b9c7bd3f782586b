import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { ENTRY_KINDS, MIN_WITHDRAWAL_CENTS } from '../../domain/sub-account.ts';
import { entriesIfFew, idText, text, timestamp } from '../../wire/fields.ts';
import { exampleSubAccountId as subAccountId } from '../../wire/splits.ts';
import { taxId } from '../customers/fields.ts';
import { createdRange } from '../frame/time-range.ts';

const id = idText(subAccountId);

const name = text(1, 100).meta({ description: 'The holder.', example: 'Ana Souza Calçados' });
const externalId = text(1, 100).meta({ description: 'Your own id of the holder.', example: 'seller-42' });

const METADATA_RULE = 'must be a text of at most 500 characters';

const metadata = entriesIfFew(
  z
    .record(z.string().max(100), z.string({ error: METADATA_RULE }).max(500, { error: METADATA_RULE }))
    .meta({ description: 'Texts by name; returned as sent.', example: { segment: 'shoes' } }),
).nullish();

/** Body of POST `/sub-accounts/create`. */
export const createSubAccountBody = z.strictObject({
  name,
  taxId: taxId.meta({
    description: 'CPF or CNPJ of the holder, formatted or bare: also the PIX key of its withdrawals.',
  }),
  externalId: externalId.nullish(),
  metadata,
});

/** Body of POST `/sub-accounts/update` (our addition). The tax id never changes: the money goes to its holder. */
export const updateSubAccountBody = z.strictObject({
  id,
  name: name.nullish(),
  externalId: externalId.nullish(),
  metadata,
});
export type UpdateSubAccountBody = z.output<typeof updateSubAccountBody>;

export const subAccountQuery = z.object({ id });

/** Filters of GET `/sub-accounts/list`. */
export const listSubAccountsQuery = z.object({
  id: id.optional(),
  externalId: z.string().max(100).optional(),
  taxId: z.string().max(20).optional().meta({ description: 'CPF or CNPJ, formatted or bare.' }),
  ...createdRange,
});

export const subAccountView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    name: z.string(),
    taxId: z.string().meta({ description: 'CPF or CNPJ with its punctuation.' }),
    externalId: z.string().nullable(),
    balance: z.int().meta({ description: "Cents that it can withdraw; no part of the store's balance." }),
    metadata: z.record(z.string(), z.string()),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SubAccount' });
export type ShownSubAccount = z.output<typeof subAccountView>;

export const exampleSubAccount: ShownSubAccount = {
  id: subAccountId,
  devMode: true,
  name: 'Ana Souza Calçados',
  taxId: '529.982.247-25',
  externalId: 'seller-42',
  balance: 7_000,
  metadata: { segment: 'shoes' },
  createdAt: '2026-11-29T14:22:08.120Z',
  updatedAt: '2026-11-29T14:23:41.377Z',
};

const WITHDRAWAL_RULE = `must be an integer number of cents between ${MIN_WITHDRAWAL_CENTS} and ${MAX_AMOUNT_CENTS}, such as 7000`;

/** Body of POST `/sub-accounts/withdraw`. */
export const withdrawBody = z.strictObject({
  id,
  amount: z
    .int({ error: WITHDRAWAL_RULE })
    .min(MIN_WITHDRAWAL_CENTS, { error: WITHDRAWAL_RULE })
    .max(MAX_AMOUNT_CENTS, { error: WITHDRAWAL_RULE })
    .meta({
      description: `Cents that leave the balance, at least ${MIN_WITHDRAWAL_CENTS}: the fee is part of them.`,
      example: 7_000,
    }),
  externalId: text(1, 100).meta({
    description:
      'Your own id of the withdrawal, unique among the transfers of store and environment. Repeating a request with the same ' +
      'content returns the first one.',
    example: 'seller-42-october',
  }),
  description: text(1, 140).nullish().meta({ example: 'Repasse de outubro' }),
});

export const listEntriesQuery = z.object({
  id,
  kind: z.enum(ENTRY_KINDS).optional(),
  ...createdRange,
});

export const entryView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    subAccountId: z.string(),
    kind: z.enum(ENTRY_KINDS).meta({
      description:
        'PAYMENT: a split payment. REFUND_* and DISPUTE_*: the part of it that was taken or given back. PAYOUT_*: a withdrawal, or ' +
        'money of one that came back.',
    }),
    amount: z.int().meta({ description: 'Cents; negative if the balance decreased.' }),
    balanceAfter: z.int().meta({ description: 'Cents.' }),
    paymentId: z.string().nullable().meta({ description: 'The split charge; null for withdrawals.' }),
    transferId: z.string().nullable().meta({ description: 'The withdrawal; null for charges.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'SubAccountMovement' });
export type ShownEntry = z.output<typeof entryView>;

export const exampleEntry: ShownEntry = {
  id: 'sace_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  devMode: true,
  subAccountId,
  kind: 'PAYMENT',
  amount: 7_000,
  balanceAfter: 7_000,
  paymentId: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  transferId: null,
  createdAt: '2026-11-29T14:23:41.377Z',
};
