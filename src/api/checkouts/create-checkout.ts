import { METHODS } from '../../charges/methods/index.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import {
  type CheckoutFrequency,
  type CheckoutItem,
  MIN_INSTALLMENT_CENTS,
  totalCentsOf,
} from '../../domain/checkout.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { formatBrl, isAmountCents, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { mintId } from '../../ids.ts';
import { checkoutStart } from '../../temporal/checkout.ts';
import { ApiError, brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireProviders } from '../frame/require-provider.ts';
import { BOLETO_NEEDS_TAX_ID } from '../transparents/create-charge.ts';
import { publishBillingCreated } from '../v1/billing-created.ts';
import { checkCoupons, checkCustomer, checkUpSell, soldItems } from './references.ts';
import type { CreateCheckoutBody } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The content of a new checkout of any kind. */
export type CheckoutOrder = Omit<CreateCheckoutBody, 'frequency' | 'items'> & {
  readonly frequency: CheckoutFrequency;
  /** Only v1 sends it; elsewhere coupons are allowed if any are listed. */
  readonly allowCoupons?: boolean;
};

/** Fields that only a subscription's checkout has. */
export type SubscriptionTerms = Pick<Checkout, 'cycle' | 'trialDays' | 'maxRetry' | 'retryEveryDays'>;

export const NO_SUBSCRIPTION: SubscriptionTerms = {
  cycle: null,
  trialDays: null,
  maxRetry: null,
  retryEveryDays: null,
};

/**
 * Creates a checkout or payment link for one-off products.
 * @throws ApiError 422 that names the product, coupon or payment method that is refused.
 */
export async function createCheckout(request: ApiRequest<unknown, CreateCheckoutBody>): Promise<Checkout> {
  const { em, key, body } = request;
  await requireProviders(request, body.methods);
  return openCheckout(request, body, await soldItems(em, key, body.items), NO_SUBSCRIPTION);
}

/**
 * Inserts a checkout with its products at their current prices. Its workflow starts after the commit.
 * @throws ApiError 422 that names the coupon or payment method that is refused.
 */
export async function openCheckout(
  request: ApiRequest,
  order: CheckoutOrder,
  items: readonly CheckoutItem[],
  terms: SubscriptionTerms,
): Promise<Checkout> {
  const { em, key, deps } = request;
  checkAmount(order, items);
  if (order.methods.includes('BOLETO') && !key.devMode && key.store.taxId === null)
    throw brokenRule('STORE_WITHOUT_TAX_ID', 'methods', BOLETO_NEEDS_TAX_ID);
  await checkCustomer(em, key, order.customerId);
  await checkCoupons(em, key, order.coupons);
  await checkUpSell(em, key, order.upSellProductId);
  const checkout = newCheckout(request, order, items, terms);
  await insertCheckout(request, checkout);
  request.afterCommit(() => deps.starter.startSoon(checkoutStart(checkout, request.requestId)));
  return checkout;
}

/** Needs a transaction only if v1 endpoints receive an event. */
async function insertCheckout(request: ApiRequest, checkout: Checkout): Promise<void> {
  if (!request.key.publishesBillingCreated) {
    await request.em.insert(CheckoutEntity, checkout);
    return;
  }
  await request.transaction(async (em) => {
    await em.insert(CheckoutEntity, checkout);
    await publishBillingCreated(request, em, { checkout });
  });
}

/** The sum of the items in cents. @throws ApiError 422 at `path` if it exceeds the maximum charge. */
export function totalOf(items: readonly CheckoutItem[], path: string): number {
  const totalCents = totalCentsOf(items);
  if (isAmountCents(totalCents)) return totalCents;
  throw brokenRule('TOTAL_TOO_LARGE', path, `must result in at most ${MAX_AMOUNT_CENTS} cents`);
}

function checkAmount({ methods, card }: CheckoutOrder, items: readonly CheckoutItem[]): void {
  const totalCents = totalOf(items, 'items');
  if (card && !methods.includes('CARD')) {
    throw brokenRule('CARD_NOT_OFFERED', 'card', 'needs CARD among the methods');
  }
  const count = card?.maxInstallments ?? 1;
  if (count > 1 && totalCents < count * MIN_INSTALLMENT_CENTS) {
    const message = `Total below minimum for ${count}x (R$10 per installment)`;
    const rule = 'INSTALLMENT_TOO_SMALL';
    const issues = [{ path: 'card.maxInstallments', message, rule }] as const;
    throw new ApiError(422, 'NOT_ACCEPTABLE', message, issues, {}, { rule });
  }
  const tooDear = methods.find((method) => totalCents < METHODS[method].minCents);
  if (tooDear === undefined) return;
  const message = `${tooDear} needs a total of ${formatBrl(METHODS[tooDear].minCents)}`;
  throw brokenRule('TOTAL_BELOW_MINIMUM', 'methods', message);
}

function newCheckout(
  { key, deps, now }: ApiRequest,
  order: CheckoutOrder,
  items: readonly CheckoutItem[],
  terms: SubscriptionTerms,
): Checkout {
  const { frequency } = order;
  const expiresAt = new Date(now.getTime() + deps.config.checkoutExpiresAfterDays * DAY_MS);
  return {
    id: mintId<CheckoutId>('checkout', now),
    storeId: key.storeId,
    devMode: key.devMode,
    frequency,
    status: 'PENDING',
    amountCents: totalCentsOf(items),
    paidAmountCents: null,
    items,
    methods: order.methods,
    coupons: [...new Set(order.coupons)],
    allowCoupons: order.allowCoupons ?? order.coupons.length > 0,
    customerId: (order.customerId ?? null) as Checkout['customerId'],
    externalId: order.externalId ?? null,
    returnUrl: order.returnUrl ?? null,
    completionUrl: order.completionUrl ?? null,
    metadata: order.metadata ?? {},
    maxInstallments: order.card?.maxInstallments ?? 1,
    interest: order.interest,
    fine: order.fine,
    upSellProductId: (order.upSellProductId ?? null) as Checkout['upSellProductId'],
    paidByChargeId: null,
    installmentsCount: null,
    ...terms,
    subscriptionId: null,
    expiresAt: frequency === 'MULTIPLE_PAYMENTS' ? null : expiresAt,
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: null,
  };
}
