import { z } from 'zod';
import type { PaymentMethod } from '../../../domain/charge.ts';
import { CHECKOUT_STATUSES } from '../../../domain/checkout.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { amountCents, metadata, timestamp } from '../../../wire/fields.ts';
import { common as checkoutFields, MAX_ITEMS, quantity, returnAddress } from '../../checkouts/schema.ts';
import { createProductBody } from '../../products/schema.ts';
import { fullCustomer, v1CustomerExample, v1CustomerView } from '../customer.ts';

/** The smallest price of a product in v1 (contract section 3). */
const MIN_PRICE_CENTS = 100;
const PRICE_RULE = `must be an integer number of cents between ${MIN_PRICE_CENTS} and ${MAX_AMOUNT_CENTS}, such as 4900`;

const FREQUENCIES = ['ONE_TIME', 'MULTIPLE_PAYMENTS'] as const;
const METHODS = ['PIX', 'CARD'] as const;
const method = z.enum(METHODS);

/** v1 does not support boletos. */
export function isV1Method(name: PaymentMethod): name is (typeof METHODS)[number] {
  return METHODS.some((known) => known === name);
}

const { externalId, name, description } = createProductBody.shape;

const product = z.strictObject({
  externalId,
  name,
  description,
  quantity,
  price: z
    .int({ error: PRICE_RULE })
    .min(MIN_PRICE_CENTS, { error: PRICE_RULE })
    .max(MAX_AMOUNT_CENTS, { error: PRICE_RULE })
    .meta({ description: `Cents, at least ${MIN_PRICE_CENTS}.`, example: 4900 }),
});
export type BilledProduct = z.output<typeof product>;

/** Body of POST `/v1/billing/create` (contract section 5.10). */
export const createBillingBody = z.strictObject({
  frequency: z.enum(FREQUENCIES).default('ONE_TIME'),
  methods: z
    .array(method)
    .min(1)
    .max(METHODS.length)
    .refine((methods) => new Set(methods).size === methods.length, { error: 'must not name a method twice' }),
  products: z.array(product).min(1).max(MAX_ITEMS).meta({
    description: 'Found or created by `externalId`; this billing sells it with this name and price.',
  }),
  returnUrl: returnAddress.meta({ description: 'The target of the page\'s "back" link.' }),
  completionUrl: returnAddress.meta({ description: 'The payer is redirected here after paying.' }),
  customerId: checkoutFields.customerId,
  customer: fullCustomer
    .nullish()
    .meta({ description: 'Found by tax id, or created. Alternative to `customerId`.' }),
  allowCoupons: z.boolean().default(false),
  coupons: checkoutFields.coupons.meta({
    description: 'Coupon codes that the payer may use, one at a time; ignored unless `allowCoupons` is true.',
    example: ['BEMVINDO10'],
  }),
  externalId: checkoutFields.externalId,
  metadata: metadata.nullish(),
});
export type CreateBillingBody = z.output<typeof createBillingBody>;

/** A checkout or payment link in the v1 format (contract section 5.10). */
export const billingView = z
  .object({
    id: z.string(),
    externalId: z.string().nullable(),
    url: z.string().meta({ description: 'The hosted page: send the payer there.' }),
    status: z.enum(CHECKOUT_STATUSES),
    devMode: z.boolean(),
    methods: z.array(method).meta({ description: 'A boleto of a v2 checkout is not shown.' }),
    products: z.array(z.object({ id: z.string(), externalId: z.string(), quantity: z.int() })),
    frequency: z.enum(FREQUENCIES),
    amount: amountCents,
    nextBilling: z.null(),
    customer: v1CustomerView.nullable(),
    allowCoupons: z.boolean(),
    coupons: z.array(z.string()),
    couponsUsed: z
      .array(z.string())
      .meta({ description: 'The customer with which it was paid; empty while it is unpaid.' }),
    metadata: z
      .object({
        fee: z
          .int()
          .meta({ description: "The platform's fee in cents; by the first method until it is paid." }),
        returnUrl: z.string(),
        completionUrl: z.string(),
      })
      .catchall(z.unknown())
      .meta({ description: 'The metadata that you sent, and also:' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'V1Billing' });
export type BillingView = z.output<typeof billingView>;

export const exampleBillingBody: z.input<typeof createBillingBody> = {
  frequency: 'ONE_TIME',
  methods: ['PIX', 'CARD'],
  products: [
    {
      externalId: 'shirt-blue-m',
      name: 'Blue shirt, M',
      description: 'Cotton, made in Blumenau',
      quantity: 2,
      price: 4900,
    },
  ],
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
  customer: v1CustomerExample.metadata,
  allowCoupons: true,
  coupons: ['BEMVINDO10'],
  externalId: 'order-1042',
  metadata: { orderId: 'A-1042' },
};

export const exampleBilling: BillingView = {
  id: 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  externalId: 'order-1042',
  url: 'https://pay.example.com/pay/bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  status: 'PENDING',
  devMode: true,
  methods: ['PIX', 'CARD'],
  products: [{ id: 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', externalId: 'shirt-blue-m', quantity: 2 }],
  frequency: 'ONE_TIME',
  amount: 9_800,
  nextBilling: null,
  customer: v1CustomerExample,
  allowCoupons: true,
  coupons: ['BEMVINDO10'],
  couponsUsed: [],
  metadata: {
    orderId: 'A-1042',
    fee: 80,
    returnUrl: 'https://shop.example.com/cart',
    completionUrl: 'https://shop.example.com/thanks',
  },
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
};
