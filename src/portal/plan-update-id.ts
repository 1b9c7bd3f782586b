import type { PlanUpdateId, SubscriptionId } from '../domain/ids.ts';
import { derivedId } from '../ids.ts';

/** The id of a change of plan, the same for a form that is sent again. @param submission the form's own id. */
export function planUpdateIdOf(
  { id, createdAt }: { readonly id: SubscriptionId; readonly createdAt: Date },
  submission: string,
): PlanUpdateId {
  return derivedId('planUpdate', createdAt, `portal ${id} ${submission}`);
}
