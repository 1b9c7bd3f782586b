import type { Checkout } from '../../../src/database/entities/checkout.ts';
import {
  type Subscription,
  SubscriptionEntity,
  UNEVENTFUL,
} from '../../../src/database/entities/subscription.ts';
import type { SubscriptionId } from '../../../src/domain/ids.ts';
import { planOfItems } from '../../../src/domain/subscribed-plan.ts';
import { mintId } from '../../../src/ids.ts';
import { insertCheckout, insertProduct, itemOf, NOON, type Shop } from './checkout-rows.ts';

/** One that nothing is wrong with: R$ 50.00 a month by card, in its first cycle. */
export function subscriptionRow(checkout: Checkout, changes: Partial<Subscription> = {}): Subscription {
  return {
    id: mintId<SubscriptionId>('subscription', NOON),
    storeId: checkout.storeId,
    devMode: checkout.devMode,
    checkoutId: checkout.id,
    customerId: checkout.customerId,
    customerNamedBy: checkout.customerNamedBy,
    externalId: checkout.externalId,
    metadata: {},
    coupons: [],
    status: 'ACTIVE',
    method: 'CARD',
    cardToken: 'token',
    cardBrand: 'visa',
    cardLastFour: '4242',
    cardExpiryMonth: '2049-12',
    plan: planOfItems(checkout.items),
    amountCents: checkout.amountCents,
    cycle: 'MONTHLY',
    trialDays: null,
    trialEndsAt: null,
    maxRetry: 3,
    retryEveryDays: 1,
    anchorAt: NOON,
    anchorNumber: 1,
    cycleNumber: 1,
    cycleStartsAt: NOON,
    cycleEndsAt: new Date('2027-01-02T15:00:00.000Z'),
    ...UNEVENTFUL,
    createdAt: NOON,
    updatedAt: NOON,
    workflowStartedAt: NOON,
    ...changes,
  };
}

/** Inserts a {@link subscriptionRow} with its paid checkout and product. */
export async function insertSubscription(
  shop: Shop,
  changes: Partial<Subscription> = {},
): Promise<Subscription> {
  const { devMode = true } = changes;
  const product = await insertProduct(shop, { cycle: 'MONTHLY', name: 'Plano', devMode });
  const checkout = await insertCheckout(shop, {
    devMode,
    frequency: 'SUBSCRIPTION',
    items: [itemOf(product)],
    cycle: 'MONTHLY',
  });
  const subscription = subscriptionRow(checkout, changes);
  await shop.database.em.fork().insert(SubscriptionEntity, subscription);
  return subscription;
}
