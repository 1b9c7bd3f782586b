import { z } from 'zod';
import { timestamp } from '../../wire/fields.ts';
import { fromInstant, toInstant } from '../frame/time-range.ts';
import { TRANSACTION_KINDS, TRANSACTION_METHODS, TRANSACTION_STATUSES } from './filters.ts';

export const MOVEMENT_KINDS = ['DEPOSIT', 'WITHDRAW', 'CARD_APPROVED'] as const;
export const MOVEMENT_METHODS = ['PIX', 'CARD', 'BOLETO', 'INTERNAL'] as const;
export const MOVEMENT_CATEGORIES = ['transaction', 'withdrawal', 'refund', 'fee', 'reversal'] as const;
export const BALANCE_EFFECTS = ['credit', 'debit', 'none'] as const;

const movement = z.object({
  amount: z.int().meta({ description: 'Cents, always positive; `balanceEffect` has the direction.' }),
  kind: z.enum(MOVEMENT_KINDS),
  method: z.enum(MOVEMENT_METHODS).meta({ description: 'INTERNAL is a fee.' }),
  description: z.string().meta({ description: 'In Portuguese.' }),
  category: z.enum(MOVEMENT_CATEGORIES),
  balanceEffect: z
    .enum(BALANCE_EFFECTS)
    .meta({ description: 'The effect on the available balance; `none` while money is pending.' }),
});
export type ShownBankMovement = z.output<typeof movement>;

const customer = z
  .object({
    publicId: z.string(),
    name: z.string(),
    email: z.string(),
    taxId: z.string(),
    cellphone: z.string(),
    zipCode: z.string(),
  })
  .partial();

/** A transaction of the statement, with its movements (AbacatePay's documents of autumn 2026). */
export const bankTransactionView = z
  .object({
    id: z.string().meta({ description: 'Stays the same in every response.' }),
    devMode: z.boolean(),
    movements: z.array(movement),
    currency: z.literal('BRL'),
    createdAt: timestamp,
    checkoutId: z.string().nullable(),
    paymentIntentId: z.string().nullable().meta({ description: 'The charge; null for payouts.' }),
    referenceId: z
      .string()
      .nullable()
      .meta({ description: 'The `externalId` of the charge, its checkout, the payout or the transfer.' }),
    customer: customer.nullable().meta({ description: 'Fields that are not known are left out.' }),
  })
  .meta({ id: 'BankTransaction' });
export type ShownBankTransaction = z.output<typeof bankTransactionView>;

export const listBankStatementQuery = z.object({
  kind: z
    .enum(TRANSACTION_KINDS)
    .optional()
    .meta({
      description:
        'What the transaction is, whatever its movements are: a payment, a payout or sent PIX, a refund, an approved card, the ' +
        'settlement of a card, a dispute with its fee, the undoing of a refund or payout, or money to and from a sub-account.',
      example: 'DEPOSIT',
    }),
  method: z
    .enum(TRANSACTION_METHODS)
    .optional()
    .meta({
      description:
        'The method of the payment that was made, refunded or disputed; payouts and sent PIX are PIX. PIX_QRCODE leaves these out. ' +
        'No transaction is TED or INTERNAL.',
      example: 'PIX',
    }),
  status: z
    .enum(TRANSACTION_STATUSES)
    .optional()
    .meta({
      description:
        'APPROVED is pending money, COMPLETE changes the available balance. The statement has nothing before it is booked; refunds ' +
        'and disputes are transactions with a `kind` of their own.',
      example: 'COMPLETE',
    }),
  from: fromInstant('Booked'),
  to: toInstant('Booked'),
});

/** The example of the API reference: a paid PIX charge of R$ 25,00. */
export const exampleBankTransaction: ShownBankTransaction = {
  id: 'tran_1000000000001A',
  devMode: true,
  movements: [
    {
      amount: 2_500,
      kind: 'DEPOSIT',
      method: 'PIX',
      description: 'Pagamento recebido',
      category: 'transaction',
      balanceEffect: 'credit',
    },
    {
      amount: 80,
      kind: 'WITHDRAW',
      method: 'INTERNAL',
      description: 'Tarifa',
      category: 'fee',
      balanceEffect: 'debit',
    },
  ],
  currency: 'BRL',
  createdAt: '2026-12-04T14:31:55.602Z',
  checkoutId: null,
  paymentIntentId: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  referenceId: null,
  customer: null,
};
