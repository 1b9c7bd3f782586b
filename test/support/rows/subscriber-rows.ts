import { newSubscription } from '../../../src/charges/acceptance/new-subscription.ts';
import type { Charge } from '../../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { type Cycle, CycleEntity } from '../../../src/database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { cyclePeriod } from '../../../src/domain/cycle.ts';
import type { CycleId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import {
  insertCharge,
  insertCheckout,
  insertProduct,
  itemOf,
  NOON,
  paid,
  type Shop,
} from './checkout-rows.ts';

const DAY_MS = 24 * 60 * 60_000;

type Changes = NonNullable<Parameters<typeof insertCheckout>[1]>;

/** The open checkout of a subscription at R$ 49.00 a month, by card or PIX. */
export async function insertPlanCheckout(shop: Shop, changes: Changes = {}): Promise<Checkout> {
  const { cycle = 'MONTHLY', trialDays = null } = changes;
  const product = await insertProduct(shop, { name: 'Clube do café', priceCents: 4_900, cycle, trialDays });
  return insertCheckout(shop, {
    frequency: 'SUBSCRIPTION',
    items: [itemOf(product)],
    methods: ['CARD', 'PIX'],
    maxRetry: 3,
    retryEveryDays: 1,
    ...changes,
    cycle,
  });
}

/** A subscription with the checkout and the payment that made it. */
export interface Subscribed {
  readonly checkout: Checkout;
  readonly first: Charge;
  readonly subscription: Subscription;
}

/** What a first payment leaves behind, or the start of a trial, by the customer whom the checkout names. No workflow runs for it. */
export async function insertSubscribed(
  shop: Shop,
  method: 'PIX' | 'CARD',
  changes: { readonly checkout?: Changes; readonly subscription?: Partial<Subscription> } = {},
): Promise<Subscribed> {
  const open = await insertPlanCheckout(shop, changes.checkout);
  const isTrial = open.trialDays !== null;
  const card = { cardToken: 'token', cardBrand: 'visa', cardLastFour: '4242', cardExpiryMonth: '2049-12' };
  const em = shop.database.em.fork();
  const named = open.customerId && (await em.findOne(CustomerEntity, { id: open.customerId }));
  const first = await insertCharge(shop, open, isTrial ? 'FREE' : method, {
    payerEmail: named ? named.email : null,
    ...paid(isTrial ? 0 : open.amountCents),
    ...(method === 'CARD' && card),
    ...(isTrial && { discountCents: 0 }),
  });
  const made = newSubscription(open, first, null, NOON);
  const subscription = { ...made.subscription, workflowStartedAt: NOON, ...changes.subscription };
  await em.insert(SubscriptionEntity, subscription);
  if (made.firstCycle !== null) await em.insert(CycleEntity, made.firstCycle);
  const settled = { status: 'PAID' as const, paidByChargeId: first.id, subscriptionId: subscription.id };
  await em.nativeUpdate(CheckoutEntity, { id: open.id }, settled);
  return { checkout: { ...open, ...settled }, first, subscription };
}

/** An attempt at the second cycle, a month after the first; a PIX code of it lives a day. */
export async function insertRenewal(
  shop: Shop,
  { checkout, subscription }: Subscribed,
  changes: Partial<Charge> = {},
  changesOfCycle: Partial<Cycle> = {},
): Promise<Charge> {
  const { amountCents, anchorAt, method } = subscription;
  const cycle: Cycle = {
    id: mintId<CycleId>('cycle', NOON),
    subscriptionId: subscription.id,
    number: 2,
    status: 'PENDING',
    amountCents,
    discountCents: 0,
    usageCents: 0,
    creditCents: 0,
    part: null,
    isUsage: false,
    ...cyclePeriod(anchorAt, subscription.cycle, 1),
    paidByChargeId: null,
    createdAt: NOON,
    ...changesOfCycle,
  };
  await shop.database.em.fork().insert(CycleEntity, cycle);
  const tomorrow = new Date(NOON.getTime() + DAY_MS);
  const code = method === 'PIX' ? { expiresAt: tomorrow, closesAt: tomorrow } : {};
  const ofCycle = { cycleId: cycle.id, amountCents: cycle.amountCents };
  return insertCharge(shop, checkout, method, { ...ofCycle, ...code, ...changes });
}
