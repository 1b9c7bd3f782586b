import { METHODS } from '../../src/charges/methods/index.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { Em } from '../../src/database/orm.ts';
import { type ChargeStatus, canBePaid, hasRunOut } from '../../src/domain/charge.ts';
import type { PaymentProvider, ProviderPayment } from '../../src/providers/provider.ts';
import { statusOf } from '../charges/load-charge.ts';
import type { ActivityDeps } from '../deps.ts';
import { acceptedBefore, acceptPayment, deliveriesLeft } from './accept-payment.ts';
import { isRefundedByStore, isReturnedToPayer } from './left-at-provider.ts';
import { isAnotherRefunded } from './refunded-instead.ts';
import { returnPayment } from './return-payment.ts';

/**
 * Accepts a payment, or sends it back in full. What follows an acceptance comes after its commit; it may be
 * repeated, and is repeated with this whole activity until it has worked.
 *
 * @param payment null where there is nothing to pay, and so nothing to send back.
 * @returns the charge's status afterwards.
 */
export async function acceptOrReturn(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment | null,
  now: Date,
): Promise<ChargeStatus> {
  // What was returned to its payer is nobody's to accept. Accepted before, it is found so here. If it was the store
  // that refunded it, it was accepted before, and a restore has lost that: it is accepted and refunded again.
  const isGone = payment !== null && isReturnedToPayer(payment) && !isRefundedByStore(payment);
  const isNotToAccept =
    isGone || (payment !== null && (await isAnotherRefunded(charge, provider, payment, now)));
  const deliveries = isNotToAccept
    ? await acceptedBefore(em, charge, provider.name, payment)
    : await acceptPayment(em, charge, provider.name, payment, now, deps.publicUrl);
  if (deliveries === null) {
    if (payment !== null) await returnPayment(deps, em, charge, provider, payment, now);
    return statusOf(em, charge.id);
  }
  const settlesAt = METHODS[charge.method].settlesAt(payment?.paidAt ?? now);
  const isPending = canBePaid(charge) ? settlesAt > now : charge.settledAt === null;
  return followUp(deps, em, charge, deliveries, isPending ? settlesAt : null);
}

/**
 * What follows an acceptance that an earlier run of the activity has committed, where it may have died right
 * after.
 */
export async function followUpAgain(deps: ActivityDeps, em: Em, charge: Charge): Promise<ChargeStatus> {
  const isPending = charge.status === 'PAID' && charge.settledAt === null;
  return followUp(deps, em, charge, await deliveriesLeft(em, charge), isPending ? charge.settlesAt : null);
}

async function followUp(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  deliveries: readonly DeliveryToStart[],
  settlesAt: Date | null,
): Promise<ChargeStatus> {
  const started = deliveries.map((delivery) => deps.startDelivery(delivery));
  await Promise.all([
    ...started,
    notifyCheckout(deps, em, charge),
    startSubscription(deps, em, charge),
    closeOtherAttempts(deps, em, charge),
    // Money that becomes available later does so in the workflow of its day.
    settlesAt && deps.startSettlement(charge, settlesAt),
  ]);
  // One that was refunded or disputed since is not PAID any more.
  return canBePaid(charge) ? 'PAID' : charge.status;
}

/**
 * Wakes the workflow of the checkout that this charge has made PAID. A payment link is not told: it stays as
 * it is, and thousands of payments would only fill its history. A checkout that had expired with the charge
 * is told in a run of its own.
 */
async function notifyCheckout(deps: ActivityDeps, em: Em, charge: Charge): Promise<void> {
  if (charge.checkoutId === null || charge.upsellOf !== null || charge.cycleId !== null) return;
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId });
  if (checkout.frequency === 'MULTIPLE_PAYMENTS') return;
  // A look of its own: a charge that was committed while the acceptance waited for its lock was not in that
  // one's sight.
  const others = await em.execute<unknown[]>(
    `select 1 from charges where checkout_id = :checkoutId and status = 'PENDING' and upsell_of is null and installment_id is null limit 1`,
    { checkoutId: checkout.id },
  );
  await deps.notifyCheckout(checkout, { othersOpen: others.length > 0 }, hasRunOut(charge));
}

/**
 * Ends the code that was issued for the same cycle after this one had run out, as it was paid in time. While
 * this one was open there was no other, but for a code of real money that had been replaced without being closed.
 */
async function closeOtherAttempts(
  deps: ActivityDeps,
  em: Em,
  { id, cycleId, status, devMode, method }: Charge,
): Promise<void> {
  const mayBeReplaced = !devMode && method === 'PIX';
  if (cycleId === null || (status === 'PENDING' && !mayBeReplaced)) return;
  const others = { cycleId, status: 'PENDING' as const, id: { $ne: id } };
  const open = await em.find(ChargeEntity, others, { disableIdentityMap: true });
  await Promise.all(open.map((other) => deps.cancelCharge(other)));
}

/** A charge that is no attempt at a cycle may have made the subscription itself. */
async function startSubscription(deps: ActivityDeps, em: Em, charge: Charge): Promise<void> {
  if (charge.checkoutId === null || charge.cycleId !== null || charge.upsellOf !== null) return;
  const subscription = await em.findOne(SubscriptionEntity, { checkoutId: charge.checkoutId });
  if (subscription !== null) await deps.startSubscription(subscription);
}
