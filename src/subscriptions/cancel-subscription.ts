import { eraseCardOfEnded } from '../cards/card-erasures.ts';
import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { CycleEntity } from '../database/entities/cycle.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { SubscriptionStatus } from '../domain/subscription.ts';
import { cycleOf } from '../events/charged-cycle.ts';
import { unattemptedDeliveries } from '../events/delivery-to-start.ts';
import { publishedPayment } from '../events/parties.ts';
import { writeEvent } from '../events/record.ts';
import { debitOf } from '../events/subscription/debit.ts';
import { subscriptionEventData } from '../events/subscription/paid-and-cancelled.ts';
import { voidInvoices } from '../invoices/void-invoices.ts';
import { dropDebits } from './debits/drop-debits.ts';
import type { SubscriptionDeps } from './effects.ts';
import { startFinalCharge, writeFinalUsage } from './final-usage.ts';
import { lockSubscription } from './lock-subscription.ts';

/**
 * Ends a subscription at once. From the commit on, no payment of it is accepted: incoming payments are returned,
 * and the workflows of open charges close them.
 */
export async function cancelNow(
  deps: SubscriptionDeps,
  id: SubscriptionId,
  now: Date,
): Promise<SubscriptionStatus> {
  const em = deps.database.em.fork();
  const deliveries = await em.transactional(async (tx) => {
    const subscription = await lockSubscription(tx, id);
    return endSubscription(deps, tx, subscription, null, now);
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  await followEnd(deps, id, now);
  return 'CANCELLED';
}

/** What follows the end of a subscription: its open charges are closed, and the usage is charged. May be repeated. */
export async function followEnd(deps: SubscriptionDeps, id: SubscriptionId, now: Date): Promise<void> {
  await startFinalCharge(deps, id, now);
  await closeCharges(deps, id);
}

/** Closes the open charges of a subscription's cycles through their workflows. May be repeated. */
export async function closeCharges(deps: SubscriptionDeps, id: SubscriptionId): Promise<void> {
  const em = deps.database.em.fork();
  const { checkoutId } = await em.findOneOrFail(SubscriptionEntity, { id });
  const open = { checkoutId, status: 'PENDING' as const, cycleId: { $ne: null } };
  const charges = await em.find(ChargeEntity, open, { disableIdentityMap: true });
  await Promise.all(charges.map((charge) => deps.cancelCharge(charge)));
}

/**
 * Makes a locked subscription CANCELLED with its event, and an unpaid cycle FAILED. For a subscription that has
 * already ended, no event is written: it may be old enough to have been deleted.
 * @param dueTo the reason, if nobody requested it; a subscription that has ended keeps its reason.
 * @returns the deliveries to start after the commit, including those of an earlier run.
 */
export async function endSubscription(
  deps: SubscriptionDeps,
  tx: Em,
  locked: Subscription,
  dueTo: string | null,
  now: Date,
): Promise<DeliveryToStart[]> {
  if (locked.status !== 'ACTIVE') return unattemptedDeliveries(tx, `subscription.cancelled/${locked.id}`);
  const isPeriodOver = dueTo === null && locked.cancelAt !== null && locked.cancelAt <= now;
  const end = {
    status: 'CANCELLED' as const,
    // A later date would announce another end.
    cancelAt: isPeriodOver ? locked.cancelAt : null,
    canceledAt: now,
    cancelPolicy: isPeriodOver ? ('AT_PERIOD_END' as const) : ('NOW' as const),
    cancelledDueTo: dueTo,
    // What a card that failed too often owes is written off, and its usage with it.
    ...(dueTo === null && (await writeFinalUsage(deps, tx, locked, now))),
    updatedAt: now,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, end);
  const uncollected = { subscriptionId: locked.id, status: 'PENDING' as const };
  await tx.nativeUpdate(CycleEntity, uncollected, { status: 'FAILED' });
  await voidInvoices(tx, locked, now);
  await dropDebits(deps, tx, locked, now);
  await eraseCardOfEnded(tx, locked, now);
  const subscription = { ...locked, ...end };
  const data = subscriptionEventData(await happeningOf(tx, subscription), deps.publicUrl);
  return writeEvent(tx, subscription, 'subscription.cancelled', subscription.id, data, now);
}

/** The subscription with its newest charge. */
async function happeningOf(tx: Em, subscription: Subscription) {
  const { checkoutId, customerId } = subscription;
  const checkout = await tx.findOneOrFail(CheckoutEntity, { id: checkoutId });
  const customer = customerId && (await tx.findOne(CustomerEntity, { id: customerId }));
  const charge = await tx.findOne(
    ChargeEntity,
    { checkoutId, upsellOf: null, method: { $ne: 'FREE' } },
    { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true },
  );
  const payment = charge && (await tx.findOne(PaymentEntity, { chargeId: charge.id, outcome: 'ACCEPTED' }));
  const published = publishedPayment(payment || null);
  const cycle = charge && (await cycleOf(tx, charge, checkout));
  const debit = await debitOf(tx, charge);
  return { subscription, checkout, customer: customer || null, charge, cycle, debit, payment: published };
}
