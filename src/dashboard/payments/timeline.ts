import type { PaymentTimeline } from './payment-timeline.ts';
import { attemptEntries } from './timeline-attempts.ts';
import { deliveryEntries } from './timeline-deliveries.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';
import { moneyEntries } from './timeline-money.ts';

/** Everything about a payment, oldest first; what is still to come stands at the end. */
export function timelineOf(paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): TimelineEntry[] {
  const timelineEntry = [
    ...attemptEntries(paymentTimeline, formatter),
    ...moneyEntries(paymentTimeline, formatter),
    ...deliveryEntries(paymentTimeline.events, formatter),
  ];
  // Sorting keeps the order of what happened at once: first what happened, then whom it was told to.
  return timelineEntry.sort((one, other) => one.at.getTime() - other.at.getTime());
}
