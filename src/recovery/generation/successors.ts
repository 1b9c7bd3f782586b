import { CHARGE_WORKFLOW } from '../../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../../workflows/checkout.contract.ts';
import { PAYOUT_WORKFLOW } from '../../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../../workflows/settlement.contract.ts';
import { SUBSCRIPTION_WORKFLOW, type SubscriptionInput } from '../../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../../workflows/webhook-delivery.contract.ts';
import { WEBHOOK_RESEND_WORKFLOW } from '../../../workflows/webhook-resend.contract.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { PayoutEntity } from '../../database/entities/payout.ts';
import { ResendEntity } from '../../database/entities/resend.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { isCivilDate } from '../../domain/civil-date.ts';
import type { CheckoutId, PayoutId, ResendId, StoreId, SubscriptionId } from '../../domain/ids.ts';
import { checkoutStart } from '../../temporal/checkout.ts';
import { payoutStart } from '../../temporal/payout.ts';
import { resendStart } from '../../temporal/resend.ts';
import { settlementStart } from '../../temporal/settlement.ts';
import { subscriptionStart } from '../../temporal/subscription.ts';
import { AT_ONCE, type Startable } from '../../temporal/workflow-start.ts';
import { openSettlementOf } from '../open-settlements.ts';
import { chargeSuccessor } from './charge-successor.ts';
import { deliverySuccessor } from './delivery-successor.ts';
import type { Received } from './received.ts';

type Successor = (em: Em, id: string, received: Received, workflowId: string) => Promise<Startable | null>;

const SUCCESSORS: Readonly<Record<string, Successor>> = {
  [CHARGE_WORKFLOW]: chargeSuccessor,
  [CHECKOUT_WORKFLOW]: checkoutSuccessor,
  [SUBSCRIPTION_WORKFLOW]: subscriptionSuccessor,
  [PAYOUT_WORKFLOW]: payoutSuccessor,
  [SETTLEMENT_WORKFLOW]: settlementSuccessor,
  [WEBHOOK_DELIVERY_WORKFLOW]: deliverySuccessor,
  [WEBHOOK_RESEND_WORKFLOW]: resendSuccessor,
};

/**
 * How the work of a run continues from its rows, and from messages that its rows do not contain. Null if nothing is
 * left to do, or something else continues it: schedules start their runs, and the sweeper those of moved clocks.
 */
export async function successorOf(
  em: Em,
  type: string,
  workflowId: string,
  received: Received,
): Promise<Startable | null> {
  const [, id = ''] = workflowId.split('/');
  return (await SUCCESSORS[type]?.(em, id, received, workflowId)) ?? null;
}

async function checkoutSuccessor(em: Em, id: string): Promise<Startable | null> {
  const checkout = await em.findOne(CheckoutEntity, { id: id as CheckoutId });
  if (checkout === null) return null;
  if (checkout.status === 'PENDING') return checkoutStart(checkout, null);
  // The run may have been about to close the checkout's other charges. A past deadline makes it look at once.
  return { ...checkoutStart({ ...checkout, expiresAt: checkout.createdAt }, null), sleepsUntil: AT_ONCE };
}

async function subscriptionSuccessor(em: Em, id: string): Promise<Startable | null> {
  const subscription = await em.findOne(SubscriptionEntity, { id: id as SubscriptionId });
  if (subscription === null) return null;
  const start = subscriptionStart(subscription, null);
  if (subscription.status === 'ACTIVE') return start;
  // The run may have been about to close the charges of its cycle, as opening the next cycle does.
  const [{ subscriptionId, nextNumber, plan }] = start.options.args as [SubscriptionInput];
  const input: SubscriptionInput = { subscriptionId, nextNumber, nextChargeAtMs: AT_ONCE.getTime(), plan };
  return { ...start, sleepsUntil: AT_ONCE, options: { ...start.options, args: [input] } };
}

async function payoutSuccessor(em: Em, id: string): Promise<Startable | null> {
  const payout = await em.findOne(PayoutEntity, { id: id as PayoutId });
  return payout?.status === 'PENDING' ? payoutStart(payout, null) : null;
}

async function settlementSuccessor(
  em: Em,
  storeId: string,
  _: Received,
  workflowId: string,
): Promise<Startable | null> {
  const [, , environment, day = ''] = workflowId.split('/');
  if (!isCivilDate(day)) return null;
  const open = await openSettlementOf(em, storeId as StoreId, environment === 'dev', day);
  return open?.dueAt ? settlementStart(open, open.dueAt) : null;
}

async function resendSuccessor(em: Em, id: string): Promise<Startable | null> {
  const resend = await em.findOne(ResendEntity, { id: id as ResendId });
  return resend?.status === 'RUNNING' ? resendStart(resend) : null;
}
