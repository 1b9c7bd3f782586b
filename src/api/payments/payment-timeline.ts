import { receivablesOf } from '../../charges/receivables/receivable-rows.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import { type Payment, PaymentEntity } from '../../database/entities/payment.ts';
import type { Receivable } from '../../database/entities/receivable.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { TimelineEvent } from './timeline-events.ts';
import { eventsAbout } from './timeline-events.ts';

/** Everything known about one payment, from which its timeline is built. */
export interface PaymentTimeline {
  readonly charge: Charge;
  readonly checkout: Checkout | null;
  /** Payments received for it, including refunded ones. Oldest first. */
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  /** Its installments, if they settle one by one; empty for every other payment. */
  readonly receivables: readonly Receivable[];
  /** Other attempts to pay the same checkout or cycle; empty for a payment link, which has many payers. */
  readonly otherAttempts: readonly Charge[];
  readonly cycle: Cycle | null;
  readonly subscription: Subscription | null;
  readonly events: readonly TimelineEvent[];
}

/** A checkout accepts ten declined cards an hour; nobody reads a longer list. */
const MOST_ATTEMPTS = 20;

/** @param charge belongs to the caller. */
export async function readPaymentTimeline(em: Em, charge: Charge): Promise<PaymentTimeline> {
  const uncached = { disableIdentityMap: true } as const;
  const ofCharge = { chargeId: charge.id };
  const [checkout, cycle, payments, refunds, disputes, events, receivables] = await Promise.all([
    charge.checkoutId && em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId }, uncached),
    charge.cycleId && em.findOneOrFail(CycleEntity, { id: charge.cycleId }, uncached),
    em.find(PaymentEntity, ofCharge, { ...uncached, orderBy: { createdAt: 'asc' }, limit: MOST_ATTEMPTS }),
    em.find(RefundEntity, ofCharge, { ...uncached, orderBy: { createdAt: 'asc' }, limit: MOST_ATTEMPTS }),
    em.find(DisputeEntity, ofCharge, { ...uncached, orderBy: { openedAt: 'asc' }, limit: MOST_ATTEMPTS }),
    eventsAbout(em, charge),
    receivablesOf(em, charge),
  ]);
  const subscriptionId = checkout?.subscriptionId;
  const [subscription, otherAttempts] = await Promise.all([
    subscriptionId && em.findOne(SubscriptionEntity, { id: subscriptionId }, uncached),
    otherAttemptsOf(em, charge, checkout || null),
  ]);
  return {
    charge,
    checkout: checkout || null,
    cycle: cycle || null,
    payments,
    refunds,
    disputes,
    receivables,
    events,
    subscription: subscription || null,
    otherAttempts,
  };
}

function otherAttemptsOf(em: Em, charge: Charge, checkout: Checkout | null): Promise<Charge[]> {
  if (checkout === null || checkout.frequency === 'MULTIPLE_PAYMENTS' || charge.upsellOf !== null)
    return Promise.resolve([]);
  const { id, cycleId } = charge;
  const same = cycleId === null ? { checkoutId: checkout.id, cycleId: null, upsellOf: null } : { cycleId };
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const;
  const options = { orderBy: newestFirst, limit: MOST_ATTEMPTS, disableIdentityMap: true };
  return em.find(ChargeEntity, { ...same, id: { $ne: id } }, options);
}
