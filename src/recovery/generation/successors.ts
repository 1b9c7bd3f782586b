import type { SubscriptionInput } from '../../../workflows/subscription.contract.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { DebitEntity } from '../../database/entities/debit.ts';
import { PayoutEntity } from '../../database/entities/payout.ts';
import { ResendEntity } from '../../database/entities/resend.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { isLiveDebit } from '../../domain/debit.ts';
import type { ChargeId, CheckoutId, PayoutId, ResendId, SubscriptionId } from '../../domain/ids.ts';
import { checkoutStart } from '../../temporal/checkout.ts';
import { debitStart } from '../../temporal/debit.ts';
import { payoutStart } from '../../temporal/payout.ts';
import { resendStart } from '../../temporal/resend.ts';
import { settlementStart } from '../../temporal/settlement.ts';
import { subscriptionStart } from '../../temporal/subscription.ts';
import { AT_ONCE, type Startable } from '../../temporal/workflow-start.ts';
import { settlementOfRun } from '../open-settlements.ts';

/** How a checkout continues: until it expires, or with closing its other charges. */
export async function checkoutSuccessor(em: Em, id: string): Promise<Startable | null> {
  const checkout = await em.findOne(CheckoutEntity, { id: id as CheckoutId });
  if (checkout === null) return null;
  if (checkout.status === 'PENDING') return checkoutStart(checkout, null);
  // The run may have been about to close the checkout's other charges. A past deadline makes it look at once.
  return { ...checkoutStart({ ...checkout, expiresAt: checkout.createdAt }, null), sleepsUntil: AT_ONCE };
}

/** How a subscription continues: with its next cycle or attempt, or with closing the charges of its cycle. */
export async function subscriptionSuccessor(em: Em, id: string): Promise<Startable | null> {
  const subscription = await em.findOne(SubscriptionEntity, { id: id as SubscriptionId });
  if (subscription === null) return null;
  const start = subscriptionStart(subscription, null);
  if (subscription.status === 'ACTIVE') return start;
  // The run may have been about to close the charges of its cycle, as opening the next cycle does.
  const [{ subscriptionId, nextNumber, plan }] = start.options.args as [SubscriptionInput];
  const input: SubscriptionInput = { subscriptionId, nextNumber, nextChargeAtMs: AT_ONCE.getTime(), plan };
  return { ...start, sleepsUntil: AT_ONCE, options: { ...start.options, args: [input] } };
}

/** How a payout continues, if it is pending. */
export async function payoutSuccessor(em: Em, id: string): Promise<Startable | null> {
  const payout = await em.findOne(PayoutEntity, { id: id as PayoutId });
  return payout?.status === 'PENDING' ? payoutStart(payout, null) : null;
}

/** How a debit continues, from its row. */
export async function debitSuccessor(em: Em, id: string): Promise<Startable | null> {
  const debit = await em.findOne(DebitEntity, { id: id as ChargeId });
  return debit !== null && isLiveDebit(debit.status) ? debitStart(debit) : null;
}

/** How the settlement of a store's day continues, if something still settles on it. */
export async function settlementSuccessor(em: Em, workflowId: string): Promise<Startable | null> {
  const [open] = await settlementOfRun(em, workflowId);
  return open?.dueAt ? settlementStart(open, open.dueAt) : null;
}

/** How a range of resends continues, from its stored position. */
export async function resendSuccessor(em: Em, id: string): Promise<Startable | null> {
  const resend = await em.findOne(ResendEntity, { id: id as ResendId });
  return resend?.status === 'RUNNING' ? resendStart(resend) : null;
}
