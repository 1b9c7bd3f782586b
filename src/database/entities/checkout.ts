import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CheckoutMethod, Fine, Interest } from '../../domain/charge.ts';
import type { CheckoutFrequency, CheckoutItem, CheckoutStatus } from '../../domain/checkout.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type {
  ChargeId,
  CheckoutId,
  CustomerId,
  ProductId,
  StoreId,
  SubscriptionId,
} from '../../domain/ids.ts';
import type { MandateAmountKind } from '../../domain/mandate.ts';
import { type CustomerNamedBy, NO_CUSTOMER } from '../../domain/payer.ts';

/**
 * A hosted payment page: a checkout, which is paid once, or a payment link. Its route inserts it as PENDING;
 * a payment makes it PAID in the statement that makes its charge PAID, and activities of `checkout/<id>` end
 * it in other ways.
 */
export const CheckoutEntity = defineEntity({
  name: 'Checkout',
  tableName: 'checkouts',
  properties: {
    id: p.text().$type<CheckoutId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    frequency: p.text().$type<CheckoutFrequency>(),
    status: p.text().$type<CheckoutStatus>(),
    /** The sum of the items, before any coupon. */
    amountCents: p.bigint('number'),
    /** The total of all payments, upsells included; null before the first. */
    paidAmountCents: p.bigint('number').strictNullable(),
    items: p.json().columnType('json').$type<readonly CheckoutItem[]>(),
    methods: p.array().$type<CheckoutMethod[]>(),
    /** Codes that the payer may use. */
    coupons: p.array().$type<string[]>(),
    /** The value given for a v1 billing; for other checkouts, whether there are any coupons. */
    allowCoupons: p.boolean().default(false),
    customerId: p.text().$type<CustomerId>().strictNullable(),
    /** Null without a customer, and in rows of older releases. */
    customerNamedBy: p.text().$type<CustomerNamedBy>().strictNullable(),
    externalId: p.text().strictNullable(),
    returnUrl: p.text().strictNullable(),
    completionUrl: p.text().strictNullable(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    maxInstallments: p.integer(),
    /** Payers pay the card fees on top of the price. */
    passesFees: p.boolean().default(false),
    /** The part of {@link paidAmountCents} that is such fees; null if none were paid. */
    customerFeeCents: p.bigint('number').strictNullable(),
    /** Late charges of a boleto. */
    interest: p.json().columnType('json').$type<Interest>().strictNullable(),
    fine: p.json().columnType('json').$type<Fine>().strictNullable(),
    upSellProductId: p.text().$type<ProductId>().strictNullable(),
    /** For a subscription's checkout; null for all others, like trial and retry policy. */
    cycle: p.text().$type<ProductCycle>().strictNullable(),
    trialDays: p.integer().strictNullable(),
    maxRetry: p.integer().strictNullable(),
    retryEveryDays: p.integer().strictNullable(),
    /**
     * Set if a payer who pays by PIX is asked to authorize the debits of later cycles (Pix Automático): whether all are of the plan's
     * price.
     */
    mandateAmount: p.text().$type<MandateAmountKind>().strictNullable(),
    /** The subscription created by its first payment. */
    subscriptionId: p.text().$type<SubscriptionId>().strictNullable(),
    /** The charge that made a ONE_TIME checkout PAID. */
    paidByChargeId: p.text().$type<ChargeId>().strictNullable(),
    /** Set after a card payment with more than one installment. */
    installmentsCount: p.integer().strictNullable(),
    /** When it stops accepting new payments. Null for a link, which does not expire. */
    expiresAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** From then on the API does not show it. Its payments and subscription stay. */
    deletedAt: p.datetime().strictNullable(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Checkout = InferEntity<typeof CheckoutEntity>;

/** The initial values of every new checkout, without options. */
export const NEW_CHECKOUT = {
  status: 'PENDING',
  paidAmountCents: null,
  allowCoupons: false,
  ...NO_CUSTOMER,
  externalId: null,
  returnUrl: null,
  completionUrl: null,
  metadata: {},
  maxInstallments: 1,
  passesFees: false,
  customerFeeCents: null,
  interest: null,
  fine: null,
  upSellProductId: null,
  cycle: null,
  trialDays: null,
  maxRetry: null,
  retryEveryDays: null,
  mandateAmount: null,
  subscriptionId: null,
  paidByChargeId: null,
  installmentsCount: null,
  workflowStartedAt: null,
  deletedAt: null,
} as const satisfies Partial<Checkout>;
