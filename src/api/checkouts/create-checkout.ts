import { lateChargeRefusals, minBoletoCents } from '../../charges/boleto-limits.ts';
import { passedFees } from '../../checkouts/passed-fees.ts';
import { type Checkout, CheckoutEntity, NEW_CHECKOUT } from '../../database/entities/checkout.ts';
import { totalsWithFeesCents } from '../../domain/card-fees.ts';
import { chargeMethodsOf, type PaymentMethod } from '../../domain/charge.ts';
import {
  type CheckoutFrequency,
  type CheckoutItem,
  MIN_INSTALLMENT_CENTS,
  totalCentsOf,
} from '../../domain/checkout.ts';
import type { CheckoutId } from '../../domain/ids.ts';
import { formatBrl, isAmountCents, MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { merchantsCustomer } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { mintId } from '../../ids.ts';
import { BOLETOS_OF_ANY_KIND, type BoletoTerms } from '../../providers/ports/boletos.ts';
import { checkoutStart } from '../../temporal/checkout.ts';
import { announceSale } from '../frame/announce-sale.ts';
import { ApiError, brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireMethods } from '../frame/require-provider.ts';
import { BOLETO_NEEDS_TAX_ID } from '../transparents/create-charge.ts';
import { checkoutOfExternalId, claimExternalId } from './checkout-external-id.ts';
import { namedReferences, soldItems } from './references.ts';
import type { CreateCheckoutBody } from './schema.ts';

type CheckoutBoletos = Pick<BoletoTerms, 'minCents' | 'maxCents' | 'interest' | 'fine'>;

const DAY_MS = 24 * 60 * 60 * 1_000;

interface OrderedCard {
  readonly maxInstallments: number;
  readonly passFeesToCustomer?: boolean | undefined;
}

/** The content of a new checkout of any kind. */
export type CheckoutOrder = Omit<CreateCheckoutBody, 'frequency' | 'items' | 'card'> & {
  readonly card?: OrderedCard | null | undefined;
  readonly frequency: CheckoutFrequency;
  /** By default, coupons are allowed if any are listed. */
  readonly allowCoupons?: boolean;
  /** Whether a checkout that already has the `externalId` is the answer. */
  readonly isOnePerExternalId?: boolean;
};

/** Fields that only a subscription's checkout has. */
export type SubscriptionTerms = Pick<
  Checkout,
  'cycle' | 'trialDays' | 'maxRetry' | 'retryEveryDays' | 'mandateAmount'
>;

export const NO_SUBSCRIPTION: SubscriptionTerms = {
  cycle: null,
  trialDays: null,
  maxRetry: null,
  retryEveryDays: null,
  mandateAmount: null,
};

/**
 * Creates a checkout or payment link for one-off products.
 * @throws ApiError 422 that names every product, coupon and payment method that is refused.
 */
export async function createCheckout(request: ApiRequest<unknown, CreateCheckoutBody>): Promise<Checkout> {
  const { em, key, body } = request;
  const existing = await existingCheckout(request);
  if (existing !== null) return existing;
  await requireMethods(request, body.methods);
  const { items, wrong } = await soldItems(em, key, body.items);
  const order = { ...body, isOnePerExternalId: body.frequency === 'ONE_TIME' };
  return openCheckout(request, order, items, NO_SUBSCRIPTION, wrong);
}

/** The checkout that already has the request's `externalId`; null for a payment link, of which several may have the same. */
async function existingCheckout({
  em,
  key: { storeId, devMode },
  body,
}: ApiRequest<unknown, CreateCheckoutBody>): Promise<Checkout | null> {
  const { externalId, frequency } = body;
  if (externalId == null || frequency !== 'ONE_TIME') return null;
  return checkoutOfExternalId(em, { storeId, devMode, externalId });
}

/**
 * Inserts a checkout with its products at their current prices. Its workflow starts after the commit.
 * @param wrong refusals of items, to report together with all others.
 * @throws ApiError 422 that names every product, coupon and payment method that is refused.
 */
export async function openCheckout(
  request: ApiRequest,
  order: CheckoutOrder,
  items: readonly CheckoutItem[],
  terms: SubscriptionTerms,
  wrong: readonly ApiError[] = [],
): Promise<Checkout> {
  const { em, key, deps, now } = request;
  const boletoTerms = await boletoTermsOf(request, order);
  const { upSellProductId, wrong: wrongReferences } = await namedReferences(em, key, order, now);
  const refused = [
    ...wrong,
    // The total is known only if every item is.
    ...(wrong.length === 0 ? wrongAmounts(order, items, boletoTerms) : []),
    ...wrongMethods(request, order, boletoTerms),
    ...(wrong.length === 0 ? await wrongFees(request, order, items) : []),
    ...wrongReferences,
  ];
  if (refused.length > 0) throw together(refused);
  const checkout = newCheckout(request, order, items, { ...terms, upSellProductId });
  const existing = await insertCheckout(request, checkout, order.isOnePerExternalId ?? false);
  if (existing !== null) return existing;
  request.afterCommit(() => deps.starter.startSoon(checkoutStart(checkout, request.requestId)));
  return checkout;
}

/**
 * Needs a transaction only if an `externalId` is claimed, or endpoints receive an event of it.
 * @returns the checkout that already has the `externalId`; null if this one was inserted.
 */
async function insertCheckout(
  request: ApiRequest,
  checkout: Checkout,
  isOnePerExternalId: boolean,
): Promise<Checkout | null> {
  const { id: checkoutId, storeId, devMode, externalId } = checkout;
  const { announcesSales } = request.key;
  const claim =
    isOnePerExternalId && externalId !== null ? { storeId, devMode, externalId, checkoutId } : null;
  if (!announcesSales && claim === null) {
    await request.em.insert(CheckoutEntity, checkout);
    return null;
  }
  return request.transaction(async (em) => {
    const existing = claim && (await claimExternalId(em, claim));
    if (existing !== null) return existing;
    await em.insert(CheckoutEntity, checkout);
    if (announcesSales) await announceSale(request, em, { checkout });
    return null;
  });
}

/** The sum of the items in cents. @throws ApiError 422 at `path` if it exceeds the maximum charge. */
export function totalOf(items: readonly CheckoutItem[], path: string): number {
  const totalCents = totalCentsOf(items);
  if (isAmountCents(totalCents)) return totalCents;
  throw totalTooLarge(path);
}

/** What boletos its payers can get now; the terms of any boleto if it offers none. */
async function boletoTermsOf(
  { deps, key }: ApiRequest,
  { methods }: CheckoutOrder,
): Promise<CheckoutBoletos> {
  const provider = methods.includes('BOLETO')
    ? (await deps.providers.providersOf(key)).get('BOLETO')
    : undefined;
  return provider?.boletos ?? BOLETOS_OF_ANY_KIND;
}

function wrongMethods({ key }: ApiRequest, order: CheckoutOrder, boletoTerms: CheckoutBoletos): ApiError[] {
  const { methods, card } = order;
  const wrong: ApiError[] = [];
  if (card && !methods.includes('CARD'))
    wrong.push(brokenRule('CARD_NOT_OFFERED', 'card', 'needs CARD among the methods'));
  if (methods.includes('BOLETO') && !key.devMode && key.store.taxId === null)
    wrong.push(brokenRule('STORE_WITHOUT_TAX_ID', 'methods', BOLETO_NEEDS_TAX_ID));
  for (const { limit, field, message } of lateChargeRefusals(boletoTerms, order))
    wrong.push(brokenRule(limit, field, message));
  return wrong;
}

/** Payers can pay only fees that are known, of an amount that a charge can have. */
async function wrongFees(
  { deps, key }: ApiRequest,
  { card, methods }: CheckoutOrder,
  items: readonly CheckoutItem[],
): Promise<ApiError[]> {
  const provider = methods.includes('CARD') ? (await deps.providers.providersOf(key)).get('CARD') : undefined;
  if (provider === undefined || card?.passFeesToCustomer !== true) return [];
  const { cards } = provider;
  const asked = Math.min(card.maxInstallments, cards.maxInstallments);
  const known = passedFees({ passesFees: true, frequency: 'ONE_TIME' }, cards, deps.config.platformFee) ?? [];
  if (known.length < asked) {
    const path = known.length === 0 ? 'card.passFeesToCustomer' : 'card.maxInstallments';
    const of = known.length === 0 ? 'card payments' : `more than ${known.length} installments`;
    const message = `needs the fees of ${of} in the setting cardFees of the account that takes the cards`;
    return [brokenRule('CARD_FEES_UNKNOWN', path, message)];
  }
  const totalCents = totalCentsOf(items);
  const isTooLarge =
    isAmountCents(totalCents) && totalsWithFeesCents(totalCents, known.slice(0, asked)).length < asked;
  return isTooLarge ? [totalTooLarge('items')] : [];
}

/** What the total does not allow. */
function wrongAmounts(
  { methods, card }: CheckoutOrder,
  items: readonly CheckoutItem[],
  boletoTerms: CheckoutBoletos,
): ApiError[] {
  const totalCents = totalCentsOf(items);
  if (!isAmountCents(totalCents)) return [totalTooLarge('items')];
  const wrong: ApiError[] = [];
  const count = card?.maxInstallments ?? 1;
  if (count > 1 && totalCents < count * MIN_INSTALLMENT_CENTS) {
    const message = `Total below minimum for ${count}x (R$10 per installment)`;
    const rule = 'INSTALLMENT_TOO_SMALL';
    const issues = [{ path: 'card.maxInstallments', message, rule }] as const;
    wrong.push(new ApiError(422, 'NOT_ACCEPTABLE', message, issues, {}, { rule }));
  }
  const minCentsOf = (method: PaymentMethod) =>
    METHOD_TRAITS[method].hasSlip ? minBoletoCents(boletoTerms) : METHOD_TRAITS[method].minCents;
  const tooDear = chargeMethodsOf(methods).find((method) => totalCents < minCentsOf(method));
  if (tooDear !== undefined) {
    const message = `${tooDear} needs a total of ${formatBrl(minCentsOf(tooDear))}`;
    wrong.push(brokenRule('TOTAL_BELOW_MINIMUM', 'methods', message));
  }
  if (methods.includes('BOLETO') && totalCents > boletoTerms.maxCents) {
    const message = `BOLETO has totals of at most ${formatBrl(boletoTerms.maxCents)} at this provider`;
    wrong.push(brokenRule('ABOVE_BOLETO_MAXIMUM', 'methods', message));
  }
  return wrong;
}

/** The refusal of a total that no charge can have. @param path the field that causes it. */
export function totalTooLarge(path: string): ApiError {
  return brokenRule('TOTAL_TOO_LARGE', path, `must result in at most ${MAX_AMOUNT_CENTS} cents`);
}

function newCheckout(
  { key, deps, now }: ApiRequest,
  order: CheckoutOrder,
  items: readonly CheckoutItem[],
  terms: SubscriptionTerms & Pick<Checkout, 'upSellProductId'>,
): Checkout {
  const { frequency } = order;
  const expiresAt = new Date(now.getTime() + deps.config.checkoutExpiresAfterDays * DAY_MS);
  return {
    ...NEW_CHECKOUT,
    id: mintId<CheckoutId>('checkout', now),
    storeId: key.storeId,
    devMode: key.devMode,
    frequency,
    amountCents: totalCentsOf(items),
    items,
    methods: order.methods,
    coupons: [...new Set(order.coupons)],
    allowCoupons: order.allowCoupons ?? order.coupons.length > 0,
    ...merchantsCustomer((order.customerId ?? null) as Checkout['customerId']),
    externalId: order.externalId ?? null,
    returnUrl: order.returnUrl ?? null,
    completionUrl: order.completionUrl ?? null,
    metadata: order.metadata ?? {},
    maxInstallments: order.card?.maxInstallments ?? 1,
    passesFees: order.card?.passFeesToCustomer ?? false,
    interest: order.interest,
    fine: order.fine,
    ...terms,
    expiresAt: frequency === 'MULTIPLE_PAYMENTS' ? null : expiresAt,
    createdAt: now,
    updatedAt: now,
  };
}
