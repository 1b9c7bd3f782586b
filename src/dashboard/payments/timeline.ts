import type { PaymentStory } from './story.ts';
import { attemptsTold } from './timeline-attempts.ts';
import { deliveriesTold } from './timeline-deliveries.ts';
import { moneyTold } from './timeline-money.ts';
import type { Teller, Told } from './told.ts';

/** Everything about a payment, oldest first; what is still to come stands at the end. */
export function timelineOf(story: PaymentStory, teller: Teller): Told[] {
  const told = [
    ...attemptsTold(story, teller),
    ...moneyTold(story, teller),
    ...deliveriesTold(story.events, teller),
  ];
  // Sorting keeps the order of what happened at once: first what happened, then whom it was told to.
  return told.sort((one, other) => one.at.getTime() - other.at.getTime());
}
