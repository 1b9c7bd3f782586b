import type { Subscription } from '../../../database/entities/subscription.ts';
import { canChangeNow } from '../../../subscriptions/change-plan-now.ts';
import type { Html } from '../../frame/html.ts';
import type { Fields } from '../frame/fields.ts';
import type { Visit } from '../frame/visit.ts';

/** When a change of the plan starts: with the next cycle; if a running subscription knows its next cycle, also now. */
export function startField(visit: Visit, subscription: Subscription, fields: Fields): Html | null {
  if (!canChangeNow(subscription)) return null;
  const { say } = visit;
  const options = [
    ['next_cycle', say('dashboard.subscriptions.withTheNextCycle')],
    ['difference', say('dashboard.subscriptions.nowForTheDifference')],
    ['full', say('dashboard.subscriptions.nowWithAWholeCycle')],
    ['none', say('dashboard.subscriptions.nowWithoutACharge')],
  ] as const;
  const label = say('dashboard.subscriptions.whenItStarts');
  return fields.select({ name: 'planStart', label, value: 'next_cycle', options });
}

export const startsNow = (visit: Visit): boolean => !['', 'next_cycle'].includes(visit.field('planStart'));

/** The same as fields of a request. */
export function startOf(visit: Visit): object {
  return startsNow(visit) ? { when: 'now', proration: visit.field('planStart') } : {};
}
