import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeStatus, canBePaid, hasRunOut } from '../../domain/charge.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { ChargeDeps } from '../effects.ts';
import { statusOf } from '../load-charge.ts';
import { METHODS } from '../methods/index.ts';
import { settlementPlanOf } from '../receivables/settlement-plan.ts';
import { acceptedBefore, acceptPayment, deliveriesLeft } from './accept-payment.ts';
import { isRefundedByStore, isReturnedToPayer } from './left-at-provider.ts';
import { isAnotherRefunded } from './refunded-instead.ts';
import { returnPayment } from './return-payment.ts';

/**
 * Accepts a payment, or returns it in full. Follow-up work runs after the commit. If it fails, the whole activity
 * runs again until it succeeds, so each step must be repeatable.
 *
 * @param payment null if there is nothing to pay, and so nothing to return.
 * @returns the charge's status afterwards.
 */
export async function acceptOrReturn(
  deps: ChargeDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment | null,
  now: Date,
): Promise<ChargeStatus> {
  // A payment that was returned to its payer can no longer be accepted, unless its acceptance is already committed.
  // If the store refunded it, it had been accepted and a restore lost that: it is accepted and refunded again.
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
  const paidAt = payment?.paidAt ?? now;
  const { settlesAt, settledAt } = canBePaid(charge)
    ? settlementPlanOf(charge, payment, paidAt, now)
    : charge;
  return followUp(deps, em, charge, deliveries, settledAt === null ? settlesAt : null);
}

/**
 * Repeats the follow-up work of a committed acceptance: an earlier run of the activity may have died right after
 * the commit.
 */
export async function followUpAgain(deps: ChargeDeps, em: Em, charge: Charge): Promise<ChargeStatus> {
  const isPending = charge.status === 'PAID' && charge.settledAt === null;
  return followUp(deps, em, charge, await deliveriesLeft(em, charge), isPending ? charge.settlesAt : null);
}

async function followUp(
  deps: ChargeDeps,
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
    // The settlement workflow of its day makes the money available.
    settlesAt && deps.startSettlement(charge, settlesAt),
  ]);
  // A charge that was refunded or disputed since is not PAID any more.
  return canBePaid(charge) ? 'PAID' : charge.status;
}

/**
 * Wakes the workflow of the checkout that this charge has made PAID. A payment link gets no signal: it stays open,
 * and thousands of payments would only fill its history. A checkout that expired together with the charge gets a
 * new run.
 */
async function notifyCheckout(deps: ChargeDeps, em: Em, charge: Charge): Promise<void> {
  if (charge.checkoutId === null || charge.upsellOf !== null || charge.cycleId !== null) return;
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId });
  if (checkout.frequency === 'MULTIPLE_PAYMENTS') return;
  // A separate query: the acceptance did not see charges that were committed while it waited for its lock.
  const others = await em.execute<unknown[]>(
    `select 1 from charges where checkout_id = :checkoutId and status = 'PENDING' and upsell_of is null and installment_id is null limit 1`,
    { checkoutId: checkout.id },
  );
  await deps.notifyCheckout(checkout, { othersOpen: others.length > 0 }, hasRunOut(charge));
}

/**
 * Closes the newer code of a cycle whose expired code turned out to be paid in time. While this code was open there
 * was no other, except a real code that had been replaced without being closed.
 */
async function closeOtherAttempts(
  deps: ChargeDeps,
  em: Em,
  { id, cycleId, status, devMode, method }: Charge,
): Promise<void> {
  const mayBeReplaced = !devMode && METHODS[method].hasCode;
  if (cycleId === null || (status === 'PENDING' && !mayBeReplaced)) return;
  const others = { cycleId, status: 'PENDING' as const, id: { $ne: id } };
  const open = await em.find(ChargeEntity, others, { disableIdentityMap: true });
  await Promise.all(open.map((other) => deps.cancelCharge(other)));
}

/** A charge that is not an attempt at a cycle may have created the subscription. */
async function startSubscription(deps: ChargeDeps, em: Em, charge: Charge): Promise<void> {
  if (charge.checkoutId === null || charge.cycleId !== null || charge.upsellOf !== null) return;
  const subscription = await em.findOne(SubscriptionEntity, { checkoutId: charge.checkoutId });
  if (subscription !== null) await deps.startSubscription(subscription);
}
