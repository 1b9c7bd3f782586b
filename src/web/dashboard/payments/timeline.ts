import type { PaymentTimeline } from './payment-timeline.ts';
import { attemptEntries } from './timeline-attempts.ts';
import { deliveryEntries } from './timeline-deliveries.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';
import { moneyEntries } from './timeline-money.ts';

/** Everything about a payment, oldest first; future entries come last. */
export function timelineOf(paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): TimelineEntry[] {
  const timelineEntry = [
    ...attemptEntries(paymentTimeline, formatter),
    ...moneyEntries(paymentTimeline, formatter),
    ...deliveryEntries(paymentTimeline.events, formatter),
  ];
  // The sort is stable: for the same instant, events come before their deliveries.
  return timelineEntry.sort((one, other) => one.at.getTime() - other.at.getTime());
}
