import { ChargeEntity } from '../database/charge.ts';
import { CheckoutEntity } from '../database/checkout.ts';
import { deliveriesToStart } from '../database/delivery-to-start.ts';
import type { Em } from '../database/orm.ts';
import { PayoutEntity } from '../database/payout.ts';
import { SubscriptionEntity } from '../database/subscription.ts';
import type { ChargeId, CheckoutId, DeliveryId, PayoutId, SubscriptionId } from '../domain/ids.ts';
import { chargeStart } from './charge-start.ts';
import { checkoutStart } from './checkout-start.ts';
import { deliveryWorkflowStart } from './delivery-start.ts';
import { payoutStart } from './payout-start.ts';
import { subscriptionStart } from './subscription-start.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** How the workflows of rows are started that nobody has started. */
export async function forgottenStarts(
  em: Em,
  table: WorkflowStart['table'],
  ids: readonly string[],
): Promise<WorkflowStart[]> {
  switch (table) {
    case 'charges': {
      const charges = await em.find(ChargeEntity, { id: { $in: ids as ChargeId[] } });
      return charges.map((charge) => chargeStart(charge, null));
    }
    case 'checkouts': {
      const checkouts = await em.find(CheckoutEntity, { id: { $in: ids as CheckoutId[] } });
      return checkouts.map((checkout) => checkoutStart(checkout, null));
    }
    case 'subscriptions': {
      const subscriptions = await em.find(SubscriptionEntity, { id: { $in: ids as SubscriptionId[] } });
      return subscriptions.map((subscription) => subscriptionStart(subscription, null));
    }
    case 'payouts': {
      const payouts = await em.find(PayoutEntity, { id: { $in: ids as PayoutId[] } });
      return payouts.map((payout) => payoutStart(payout, null));
    }
    case 'deliveries': {
      const deliveries = await deliveriesToStart(em, ids as DeliveryId[]);
      return deliveries.map(deliveryWorkflowStart);
    }
  }
}
