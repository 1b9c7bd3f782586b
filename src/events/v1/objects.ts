import { z } from 'zod';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, CHECKOUT_STATUSES } from '../../domain/checkout.ts';
import { amountCents, timestamp } from '../../wire/fields.ts';
import { completed, failed } from '../payout.ts';
import { subscription } from '../subscription/objects.ts';

const customer = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    metadata: z.strictObject({
      name: z.string(),
      email: z.string(),
      taxId: z.string().meta({ description: 'CPF or CNPJ, masked.' }),
    }),
  })
  .nullable();

const billing = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  url: z.string(),
  status: z.enum(CHECKOUT_STATUSES),
  frequency: z.enum(CHECKOUT_FREQUENCIES),
  amount: amountCents,
  paidAmount: z.int().nullable(),
  methods: z.array(z.enum(PAYMENT_METHODS)),
  products: z.array(z.strictObject({ id: z.string(), quantity: z.int() })),
  customer,
  receiptUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const pixQrCode = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  externalId: z.string().nullable(),
  kind: z.enum(['PIX', 'BOLETO']).meta({ description: 'A boleto of v2 is told of too.' }),
  amount: amountCents,
  paidAmount: z.int().nullable(),
  platformFee: z.int(),
  status: z.enum(CHARGE_STATUSES),
  customer,
  receiptUrl: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const payment = z
  .strictObject({
    id: z.string(),
    devMode: z.boolean(),
    amount: z.int().meta({ description: 'Cents that were paid, or were to be.' }),
    fee: z.int().meta({ description: 'Cents.' }),
    method: z.enum(PAYMENT_METHODS).nullable().meta({ description: 'Null where there was nothing to pay.' }),
  })
  .nullable()
  .meta({ description: 'Null where none was begun.' });

/** Of `billing.*`. */
export const v1BillingData = z.strictObject({
  billing: billing.nullable().meta({ description: 'What was sold through a billing; else null.' }),
  pixQrCode: pixQrCode.nullable().meta({ description: 'A charge without a billing; else null.' }),
  payment,
  subscription: subscription.optional().meta({ description: 'Where a cycle of one was charged.' }),
  reason: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'Only where it was refunded, was lost in a dispute, or failed.' }),
});

/** Of `subscription.*`. */
export const v1SubscriptionData = z.strictObject({
  subscription,
  customer,
  billing: billing.nullable().meta({ description: 'What began it; null where a trial did.' }),
  payment,
});

const kind = z.literal('WITHDRAW');
export const v1WithdrawDone = z.strictObject({ transaction: completed.extend({ kind }) });
export const v1WithdrawFailed = z.strictObject({ transaction: failed.extend({ kind }) });
