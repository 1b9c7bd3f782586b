import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { DebitEntity } from '../database/entities/debit.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { ResendEntity } from '../database/entities/resend.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId, CheckoutId, DeliveryId, PayoutId, ResendId, SubscriptionId } from '../domain/ids.ts';
import { deliveriesToStart } from '../events/delivery-to-start.ts';
import { chargeStart } from './charge.ts';
import { checkoutStart } from './checkout.ts';
import { debitStart } from './debit.ts';
import { deliveryWorkflowStart } from './delivery.ts';
import { payoutStart } from './payout.ts';
import { resendStart } from './resend.ts';
import { subscriptionStart } from './subscription.ts';
import type { WorkflowStart } from './workflow-start.ts';

type Starts = (em: Em, ids: readonly string[]) => Promise<WorkflowStart[]>;

const STARTS: Readonly<Record<WorkflowStart['table'], Starts>> = {
  charges: async (em, ids) =>
    (await em.find(ChargeEntity, { id: { $in: ids as ChargeId[] } })).map((row) => chargeStart(row, null)),
  checkouts: async (em, ids) =>
    (await em.find(CheckoutEntity, { id: { $in: ids as CheckoutId[] } })).map((row) =>
      checkoutStart(row, null),
    ),
  subscriptions: async (em, ids) =>
    (await em.find(SubscriptionEntity, { id: { $in: ids as SubscriptionId[] } })).map((row) =>
      subscriptionStart(row, null),
    ),
  debits: async (em, ids) => (await em.find(DebitEntity, { id: { $in: ids as ChargeId[] } })).map(debitStart),
  payouts: async (em, ids) =>
    (await em.find(PayoutEntity, { id: { $in: ids as PayoutId[] } })).map((row) => payoutStart(row, null)),
  deliveries: async (em, ids) =>
    (await deliveriesToStart(em, ids as DeliveryId[])).map(deliveryWorkflowStart),
  resends: async (em, ids) =>
    (await em.find(ResendEntity, { id: { $in: ids as ResendId[] } })).map(resendStart),
};

/** How to start the workflows of rows whose start was lost. */
export function unstartedWorkflowsOf(
  em: Em,
  table: WorkflowStart['table'],
  ids: readonly string[],
): Promise<WorkflowStart[]> {
  return STARTS[table](em, ids);
}
