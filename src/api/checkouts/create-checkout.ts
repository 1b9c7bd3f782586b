import { type Checkout, CheckoutEntity } from '../../database/checkout.ts';
import { MIN_BOLETO_CENTS } from '../../domain/charge-deadlines.ts';
import { type CheckoutItem, MIN_INSTALLMENT_CENTS, totalCentsOf } from '../../domain/checkout.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { formatBrl, isAmountCents, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { mintId } from '../../ids.ts';
import { providerOf } from '../../providers/provider.ts';
import { checkoutStart } from '../../starts/checkout-start.ts';
import { ApiError, fieldError } from '../errors.ts';
import type { ApiRequest } from '../request.ts';
import { checkCoupons, checkCustomer, checkUpSell, soldItems } from './references.ts';
import type { CreateCheckoutBody } from './schema.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

type CreateRequest = ApiRequest<unknown, CreateCheckoutBody>;

/**
 * Inserts a checkout with its products at today's prices, and has its workflow started once that is committed.
 * @throws ApiError 422 that names what cannot be sold, used or paid.
 */
export async function createCheckout(request: CreateRequest): Promise<Checkout> {
  const { em, key, body, deps } = request;
  if (providerOf(deps.providers, key.devMode) === null) {
    throw new ApiError(422, 'NO_PAYMENT_PROVIDER', 'No payment provider configured');
  }
  const items = await soldItems(em, key, body.items);
  checkAmount(body, items);
  await checkCustomer(em, key, body);
  await checkCoupons(em, key, body.coupons);
  await checkUpSell(em, key, body.upSellProductId);
  const checkout = newCheckout(request, items);
  await em.insert(CheckoutEntity, checkout);
  request.afterCommit(() => deps.starter.startSoon(checkoutStart(checkout, request.requestId)));
  return checkout;
}

function checkAmount({ methods, card }: CreateCheckoutBody, items: readonly CheckoutItem[]): void {
  const totalCents = totalCentsOf(items);
  if (!isAmountCents(totalCents)) {
    throw fieldError(422, 'NOT_ACCEPTABLE', 'items', `must come to at most ${MAX_AMOUNT_CENTS} cents`);
  }
  if (card !== undefined && !methods.includes('CARD')) {
    throw fieldError(422, 'NOT_ACCEPTABLE', 'card', 'needs CARD among the methods');
  }
  const count = card?.maxInstallments ?? 1;
  if (count > 1 && totalCents < count * MIN_INSTALLMENT_CENTS) {
    const message = `Total below minimum for ${count}x (R$10 per installment)`;
    throw new ApiError(422, 'NOT_ACCEPTABLE', message, [{ path: 'card.maxInstallments', message }]);
  }
  if (methods.includes('BOLETO') && totalCents < MIN_BOLETO_CENTS) {
    throw fieldError(
      422,
      'NOT_ACCEPTABLE',
      'methods',
      `BOLETO needs a total of ${formatBrl(MIN_BOLETO_CENTS)}`,
    );
  }
}

function newCheckout({ key, body, deps, now }: CreateRequest, items: readonly CheckoutItem[]): Checkout {
  const { frequency } = body;
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
    methods: body.methods,
    coupons: [...new Set(body.coupons)],
    customerId: (body.customerId ?? null) as Checkout['customerId'],
    externalId: body.externalId ?? null,
    returnUrl: body.returnUrl ?? null,
    completionUrl: body.completionUrl ?? null,
    metadata: body.metadata ?? {},
    maxInstallments: body.card?.maxInstallments ?? 1,
    interest: body.interest?.value ? body.interest : null,
    fine: body.fine?.value ? body.fine : null,
    upSellProductId: (body.upSellProductId ?? null) as Checkout['upSellProductId'],
    paidByChargeId: null,
    installmentsCount: null,
    expiresAt: frequency === 'ONE_TIME' ? expiresAt : null,
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: null,
  };
}
