import { z } from 'zod';
import type { Checkout } from '../database/entities/checkout.ts';
import { PAYMENT_METHODS } from '../domain/charge.ts';
import { CHECKOUT_STATUSES } from '../domain/checkout.ts';
import { amountCents, timestamp } from './fields.ts';

/** What answers and the events of subscriptions show of a checkout or payment link (spec, "Checkout"; contract section 5). */
export const checkoutShape = {
  id: z.string(),
  externalId: z.string().nullable(),
  url: z.string().meta({ description: 'The hosted page: send the payer there.' }),
  amount: amountCents,
  paidAmount: z.int().nullable().meta({
    description: 'All that was paid through it; of a payment link the sum. Null while unpaid.',
  }),
  items: z.array(z.object({ id: z.string(), quantity: z.int() })),
  status: z.enum(CHECKOUT_STATUSES).meta({ description: 'A payment link stays `PENDING`.' }),
  methods: z.array(z.enum(PAYMENT_METHODS)),
  coupons: z.array(z.string()),
  devMode: z.boolean(),
  customerId: z.string().nullable(),
  returnUrl: z.string().nullable(),
  completionUrl: z.string().nullable(),
  receiptUrl: z.string().nullable(),
  card: z.object({ maxInstallments: z.int() }).nullable().meta({ description: 'Null without `CARD`.' }),
  installmentsCount: z
    .int()
    .nullable()
    .meta({ description: 'Set after a card payment in more than one installment.' }),
  upSellProductId: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  expiresAt: timestamp.nullable().meta({ description: 'Null for a payment link.' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const subscriptionId = z.string().nullable().meta({
  description: 'Of a subscription only: null until its first payment, or until its trial has begun.',
});

/** Of a subscription there is no frequency: how often it is charged is in its record (spec, "a checkout without frequency"). */
export const checkoutView = z.object({
  ...checkoutShape,
  frequency: z.enum(['ONE_TIME', 'MULTIPLE_PAYMENTS']).optional().meta({
    description: 'Not there for the checkout of a subscription.',
  }),
  subscriptionId: subscriptionId.optional(),
});
export type ShownCheckout = z.output<typeof checkoutView>;

export const subscriptionCheckoutView = z.object({ ...checkoutShape, subscriptionId });
export type ShownSubscriptionCheckout = z.output<typeof subscriptionCheckoutView>;

/** A checkout or payment link as integrators see it. */
export function presentCheckout(checkout: Checkout, publicUrl: string): ShownCheckout {
  const { frequency } = checkout;
  if (frequency === 'SUBSCRIPTION') return presentSubscriptionCheckout(checkout, publicUrl);
  return { ...shown(checkout, publicUrl), frequency };
}

/** The checkout of a subscription, likewise. */
export function presentSubscriptionCheckout(
  checkout: Checkout,
  publicUrl: string,
): ShownSubscriptionCheckout {
  return { ...shown(checkout, publicUrl), subscriptionId: checkout.subscriptionId };
}

function shown(checkout: Checkout, publicUrl: string) {
  const { paidByChargeId, methods, maxInstallments } = checkout;
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
    returnUrl: checkout.returnUrl,
    completionUrl: checkout.completionUrl,
    receiptUrl: paidByChargeId && `${publicUrl}/receipt/${paidByChargeId}`,
    card: methods.includes('CARD') ? { maxInstallments } : null,
    installmentsCount: checkout.installmentsCount,
    upSellProductId: checkout.upSellProductId,
    metadata: checkout.metadata,
    expiresAt: checkout.expiresAt?.toISOString() ?? null,
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
  };
}
