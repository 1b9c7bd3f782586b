import type { PaymentTimeline } from '../../../api/payments/payment-timeline.ts';
import { attemptEntries } from './timeline-attempts.ts';
import { deliveryEntries } from './timeline-deliveries.ts';
import type { TimelineEntry, TimelineFormatter } from './timeline-entry.ts';
import { moneyEntries } from './timeline-money.ts';

/** Everything about a payment, oldest first; future entries come last. */
export function timelineOf(paymentTimeline: PaymentTimeline, formatter: TimelineFormatter): TimelineEntry[] {
  return inOrder([
    ...timelineEntriesOf(paymentTimeline, formatter),
    // The sort is stable: for the same instant, events come before their deliveries.
    ...deliveryEntries(paymentTimeline.events, formatter),
  ]);
}

/** What happened to the payment and its money, in the store's time. */
export function timelineEntriesOf(
  paymentTimeline: PaymentTimeline,
  formatter: TimelineFormatter,
): TimelineEntry[] {
  return inOrder([
    ...attemptEntries(paymentTimeline, formatter),
    ...moneyEntries(paymentTimeline, formatter),
  ]);
}

/** Deliveries to endpoints, in real time. */
export function deliveriesOf({ events }: PaymentTimeline, formatter: TimelineFormatter): TimelineEntry[] {
  return inOrder(deliveryEntries(events, formatter));
}

function inOrder(entries: TimelineEntry[]): TimelineEntry[] {
  return entries.sort((one, other) => one.at.getTime() - other.at.getTime());
}
