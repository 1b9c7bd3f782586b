import { z } from 'zod';
import type { Checkout } from '../database/entities/checkout.ts';
import { CHECKOUT_METHODS } from '../domain/charge.ts';
import { CHECKOUT_STATUSES } from '../domain/checkout.ts';
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionStanding,
  subscriptionStateOf,
} from '../domain/subscription.ts';
import { debitRetryPolicy, presentDebitRetryPolicy } from './debit-retry-policy.ts';
import { amountCents, customerNamedBy, timestamp } from './fields.ts';
import { subscriptionState } from './subscription/state.ts';

/**
 * Fields of a checkout or payment link, shared by responses and subscription events (contract section 5.1).
 */
export const checkoutShape = {
  id: z.string(),
  externalId: z.string().nullable(),
  url: z.string().meta({ description: 'The hosted page: send the payer there.' }),
  amount: amountCents,
  paidAmount: z.int().nullable().meta({
    description: 'The total paid through it; for a payment link, the sum of its payments. Null while unpaid.',
  }),
  items: z.array(z.object({ id: z.string(), quantity: z.int() })),
  status: z.enum(CHECKOUT_STATUSES).meta({ description: 'A payment link stays `PENDING`.' }),
  methods: z.array(z.enum(CHECKOUT_METHODS)),
  coupons: z.array(z.string()),
  devMode: z.boolean(),
  customerId: z.string().nullable(),
  customerNamedBy,
  returnUrl: z.string().nullable(),
  completionUrl: z.string().nullable(),
  receiptUrl: z.string().nullable(),
  customerFee: z.int().nullable().meta({
    description:
      'The part of `paidAmount` in cents that is card fees, which the payer paid on top of the price; null if none.',
  }),
  card: z
    .object({ maxInstallments: z.int(), passFeesToCustomer: z.boolean() })
    .nullable()
    .meta({ description: 'Null without `CARD`.' }),
  installmentsCount: z
    .int()
    .nullable()
    .meta({ description: 'Set after a card payment in several installments.' }),
  upSellProductId: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  expiresAt: timestamp.nullable().meta({ description: 'Null for a payment link.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const addOns = z.array(z.object({ id: z.string(), quantity: z.int() })).meta({
  description: 'Only for a subscription: the products that are charged with its plan every cycle.',
});

const subscriptionId = z.string().nullable().meta({
  description: 'Only for a subscription: null until its first payment, or the start of its trial.',
});

const subscriptionStatus = z
  .enum(SUBSCRIPTION_STATUSES)
  .nullable()
  .meta({ description: 'Only for a subscription: null until it starts.' });

/** Where the checkout's subscription stands. */
const standing = {
  subscriptionStatus,
  subscriptionState: subscriptionState.nullable().meta({
    description: 'Only for a subscription: its state, in more detail than its status; null until it starts.',
  }),
};

/** A subscription's checkout has no frequency: the subscription has it (contract section 6.2). */
export const checkoutView = z
  .object({
    ...checkoutShape,
    frequency: z.enum(['ONE_TIME', 'MULTIPLE_PAYMENTS']).optional().meta({
      description: "Absent for a subscription's checkout.",
    }),
    addOns: addOns.optional(),
    subscriptionId: subscriptionId.optional(),
    subscriptionStatus: standing.subscriptionStatus.optional(),
    subscriptionState: standing.subscriptionState.optional(),
    debitRetryPolicy: debitRetryPolicy.optional(),
  })
  .meta({ id: 'Checkout' });
export type ShownCheckout = z.output<typeof checkoutView>;

/** The checkout of a subscription in events. */
export const subscriptionCheckoutShape = { ...checkoutShape, addOns, subscriptionId };

export const subscriptionCheckoutView = z
  .object({ ...subscriptionCheckoutShape, ...standing, debitRetryPolicy })
  .meta({ id: 'SubscriptionCheckout' });
export type ShownSubscriptionCheckout = z.output<typeof subscriptionCheckoutView>;

/** A checkout or payment link as the API returns it. @param subscription its subscription, if it has one. */
export function presentCheckout(
  checkout: Checkout,
  publicUrl: string,
  subscription: SubscriptionStanding | null,
): ShownCheckout {
  const { frequency } = checkout;
  if (frequency === 'SUBSCRIPTION') return presentSubscriptionCheckout(checkout, publicUrl, subscription);
  return { ...shown(checkout, publicUrl), frequency };
}

/** The checkout of a subscription as the API returns it. */
export function presentSubscriptionCheckout(
  checkout: Checkout,
  publicUrl: string,
  subscription: SubscriptionStanding | null,
): ShownSubscriptionCheckout {
  return {
    ...publishedSubscriptionCheckout(checkout, publicUrl),
    subscriptionStatus: subscription?.status ?? null,
    subscriptionState: subscription && subscriptionStateOf(subscription),
    debitRetryPolicy: presentPolicyOf(checkout),
  };
}

function presentPolicyOf({ mandateAmount, maxRetry, retryEveryDays, cycle }: Checkout) {
  if (mandateAmount === null || maxRetry === null || retryEveryDays === null || cycle === null) return null;
  return presentDebitRetryPolicy({ maxRetry, retryEveryDays }, cycle);
}

/** The checkout of a subscription in events, which contain the subscription separately. */
export function publishedSubscriptionCheckout(checkout: Checkout, publicUrl: string) {
  const { items, ...rest } = shown(checkout, publicUrl);
  // The first one is the plan.
  return {
    ...rest,
    items: items.slice(0, 1),
    addOns: items.slice(1),
    subscriptionId: checkout.subscriptionId,
  };
}

function shown(checkout: Checkout, publicUrl: string) {
  const { paidByChargeId, methods, maxInstallments, passesFees } = checkout;
  return {
    id: checkout.id,
    externalId: checkout.externalId,
    url: `${publicUrl}/pay/${checkout.id}`,
    amount: checkout.amountCents,
    paidAmount: checkout.paidAmountCents,
    items: checkout.items.map(({ productId, quantity }) => ({ id: productId, quantity })),
    status: checkout.status,
    methods,
    coupons: checkout.coupons,
    devMode: checkout.devMode,
    customerId: checkout.customerId,
    customerNamedBy: checkout.customerNamedBy,
    returnUrl: checkout.returnUrl,
    completionUrl: checkout.completionUrl,
    receiptUrl: paidByChargeId && `${publicUrl}/receipt/${paidByChargeId}`,
    customerFee: checkout.customerFeeCents,
    card: methods.includes('CARD') ? { maxInstallments, passFeesToCustomer: passesFees } : null,
    installmentsCount: checkout.installmentsCount,
    upSellProductId: checkout.upSellProductId,
    metadata: checkout.metadata,
    expiresAt: checkout.expiresAt?.toISOString() ?? null,
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
  };
}

export const exampleCheckoutId = 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
export const exampleProductId = 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W';

export const exampleCheckout = {
  id: exampleCheckoutId,
  externalId: 'order-1042',
  url: `https://pay.example.com/pay/${exampleCheckoutId}`,
  amount: 9_800,
  paidAmount: null,
  items: [{ id: exampleProductId, quantity: 2 }],
  status: 'PENDING',
  frequency: 'ONE_TIME',
  methods: ['PIX', 'CARD'],
  coupons: ['BEMVINDO10'],
  devMode: true,
  customerId: null,
  customerNamedBy: null,
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
  receiptUrl: null,
  customerFee: null,
  card: { maxInstallments: 3, passFeesToCustomer: false },
  installmentsCount: null,
  upSellProductId: null,
  metadata: { orderId: 'A-1042' },
  expiresAt: '2027-01-03T14:22:08.120Z',
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
} satisfies ShownCheckout;

const { frequency: _, ...withoutFrequency } = exampleCheckout;

export const exampleSubscriptionCheckout: Omit<
  ShownSubscriptionCheckout,
  'subscriptionStatus' | 'subscriptionState' | 'debitRetryPolicy'
> = {
  ...withoutFrequency,
  externalId: 'account-77',
  amount: 4_900,
  items: [{ id: exampleProductId, quantity: 1 }],
  addOns: [],
  methods: ['CARD'],
  coupons: [],
  returnUrl: null,
  completionUrl: 'https://app.example.com/welcome',
  card: { maxInstallments: 1, passFeesToCustomer: false },
  subscriptionId: null,
  metadata: { accountId: '77' },
};
