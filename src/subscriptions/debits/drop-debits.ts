import { afterCommit } from '../../database/after-commit.ts';
import type { Debit } from '../../database/entities/debit.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { SubscriptionId } from '../../domain/ids.ts';
import type { SubscriptionDeps } from '../effects.ts';

/** The cycle may be planned again, should somebody want the debit again. */
const DROP = statement<{ subscriptionId: SubscriptionId; now: Date }, Pick<Debit, 'id'>>(
  'drop the debits of a subscription',
  () => `
  with dropped as (
    update debits set status = 'DROPPING', next_at = :now, updated_at = :now
    where subscription_id = :subscriptionId and status in ('PLANNED', 'ORDERED') returning id
  ), again as (
    update subscriptions set debit_number = cycle_number from dropped where subscriptions.id = :subscriptionId
  )
  select id from dropped`,
);

/**
 * Notes in the caller's transaction that the debit of a cycle that has not opened is not wanted any more. Its workflow cancels it at the
 * provider. After the due date has begun there is nothing to drop: the cycle is open.
 */
export async function dropDebits(
  { wakeDebit }: Pick<SubscriptionDeps, 'wakeDebit'>,
  tx: Em,
  { id, debitNumber, cycleNumber }: Pick<Subscription, 'id' | 'debitNumber' | 'cycleNumber'>,
  now: Date,
): Promise<void> {
  if (debitNumber <= cycleNumber) return;
  const dropped = await DROP(tx, { subscriptionId: id, now });
  // If this process dies here, the auditor wakes the workflow.
  for (const debit of dropped) afterCommit(tx, () => wakeDebit(debit.id));
}
