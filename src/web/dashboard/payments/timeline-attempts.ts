import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import { wasPaid } from '../../../domain/charge.ts';
import { payableUntil } from '../../../domain/last-day-to-pay.ts';
import { amount, failureWords, methodName } from '../words.ts';
import {
  deadlineEntry,
  type TimelineEntry,
  type TimelineFormatter,
  timelineEntry,
  untilText,
} from './timeline-entry.ts';

/** How the charge was created and ended, and other attempts to pay the same. */
export function attemptEntries(
  paymentTimeline: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { charge, otherAttempts } = paymentTimeline;
  return [
    ...checkoutEntry(paymentTimeline, formatter),
    timelineEntry(charge.createdAt, 'plain', createdText(paymentTimeline, formatter)),
    ...confirmationEntries(charge, formatter),
    ...otherAttempts.map((other) => attemptEntry(other, formatter)),
    ...endEntry(paymentTimeline, formatter),
  ];
}

/** The confirmation that the payer's bank asked for; the end of a failed payment says why it failed. */
function confirmationEntries(
  { actionRequiredAt, paidAt }: Charge,
  { say }: TimelineFormatter,
): TimelineEntry[] {
  if (actionRequiredAt === null) return [];
  const asked = timelineEntry(actionRequiredAt, 'waiting', say('dashboard.payments.theBankAskedToConfirm'));
  if (paidAt === null) return [asked];
  return [asked, timelineEntry(paidAt, 'good', say('dashboard.payments.thePayerConfirmed'))];
}

function checkoutEntry({ checkout, charge }: PaymentTimeline, { say }: TimelineFormatter): TimelineEntry[] {
  if (checkout === null || charge.cycleId !== null) return [];
  const text =
    checkout.frequency === 'MULTIPLE_PAYMENTS'
      ? say('dashboard.payments.thePaymentLinkWasCreated')
      : say('dashboard.payments.theCheckoutWasCreated');
  return [timelineEntry(checkout.createdAt, 'plain', text, `/checkouts/${checkout.id}`)];
}

function createdText({ charge, cycle, checkout }: PaymentTimeline, { say }: TimelineFormatter): string {
  const what = `${methodName(charge.method, say)} · ${amount(charge.amountCents)}`;
  const off =
    charge.discountCents === 0
      ? ''
      : say('dashboard.payments.offByACoupon', { discount: amount(charge.discountCents) });
  if (cycle !== null)
    return say('dashboard.payments.chargeOfCycleOfThe', { cycleNumber: cycle.number, what, off });
  if (charge.upsellOf !== null) return say('dashboard.payments.thePayerAcceptedTheUpsell', { what });
  if (checkout === null) return say('dashboard.payments.chargeCreatedByTheApi', { what, off });
  return say('dashboard.payments.thePayerStartedToPay', { what, off });
}

function attemptEntry(other: Charge, { say }: TimelineFormatter): TimelineEntry {
  const what = `${methodName(other.method, say)}${other.cardLastFour === null ? '' : say('dashboard.payments.endingIn', { cardLastFour: other.cardLastFour })}`;
  const path = `/payments/${other.id}`;
  if (wasPaid(other.status))
    return timelineEntry(
      other.paidAt ?? other.createdAt,
      'good',
      say('dashboard.payments.anotherAttemptByWasPaid', { what }),
      path,
    );
  if (other.status === 'FAILED') {
    const why = failureWords(other.failureReason, say);
    return timelineEntry(
      other.createdAt,
      'bad',
      say('dashboard.payments.anotherAttemptByFailed', { what, why }),
      path,
    );
  }
  const text =
    other.status === 'PENDING'
      ? say('dashboard.payments.anotherAttemptByIsOpen', { what })
      : say('dashboard.payments.anotherAttemptByEndedWithout', { what });
  return timelineEntry(other.createdAt, 'plain', text, path);
}

/** How an unpaid charge ended, and what happens next. */
function endEntry(
  { charge, subscription, cycle }: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  const { say } = formatter;
  const { status, updatedAt } = charge;
  const closesAt = payableUntil(charge);
  if (status === 'PENDING')
    return [
      deadlineEntry(
        closesAt,
        say('dashboard.payments.canBePaidUntil', { closes: untilText(formatter, closesAt) }),
      ),
    ];
  if (status === 'EXPIRED') return [timelineEntry(updatedAt, 'plain', say('dashboard.payments.expired'))];
  if (status === 'CANCELLED')
    return [timelineEntry(updatedAt, 'plain', say('dashboard.payments.cancelledItCanNoLongerBe'))];
  if (status !== 'FAILED') return [];
  const why = failureWords(charge.failureReason, say);
  const failed = timelineEntry(updatedAt, 'bad', say('dashboard.payments.notCharged3', { why }));
  if (subscription === null || cycle === null || cycle.status === 'PAID') return [failed];
  return [failed, ...nextAttemptEntry({ subscription, cycle }, formatter)];
}

function nextAttemptEntry(
  {
    subscription,
    cycle,
  }: {
    subscription: NonNullable<PaymentTimeline['subscription']>;
    cycle: NonNullable<PaymentTimeline['cycle']>;
  },
  { say, when, now }: TimelineFormatter,
): TimelineEntry[] {
  const { id, status, canceledAt, attemptDueAt, failedAttempts, maxRetry, cycleNumber } = subscription;
  const path = `/subscriptions/${id}`;
  if (status === 'CANCELLED' && canceledAt !== null)
    return [timelineEntry(canceledAt, 'bad', say('dashboard.payments.theSubscriptionWasCancelled'), path)];
  const isNext =
    cycle.status === 'PENDING' && cycle.number === cycleNumber && attemptDueAt !== null && attemptDueAt > now;
  if (!isNext) return [];
  const text = say('dashboard.payments.nextAttemptOnOfHaveFailed', {
    attemptDue: when(attemptDueAt),
    failedAttempts,
    maxRetry,
  });
  return [timelineEntry(attemptDueAt, 'waiting', text, path)];
}
