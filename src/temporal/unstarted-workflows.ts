import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { ResendEntity } from '../database/entities/resend.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId, CheckoutId, DeliveryId, PayoutId, ResendId, SubscriptionId } from '../domain/ids.ts';
import { deliveriesToStart } from '../events/delivery-to-start.ts';
import { chargeStart } from './charge.ts';
import { checkoutStart } from './checkout.ts';
import { deliveryWorkflowStart } from './delivery.ts';
import { payoutStart } from './payout.ts';
import { resendStart } from './resend.ts';
import { subscriptionStart } from './subscription.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** How to start the workflows of rows whose start was lost. */
export async function unstartedWorkflowsOf(
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
    case 'resends': {
      const resends = await em.find(ResendEntity, { id: { $in: ids as ResendId[] } });
      return resends.map(resendStart);
    }
  }
}
