import type { Charge } from '../../src/database/entities/charge.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { SubscriptionId } from '../../src/domain/ids.ts';
import type { ActivityDeps } from '../deps.ts';

/** Tells the subscription, whose workflow waits for it, that an attempt at a cycle has ended. Told twice it is told once. */
export async function tellSubscription(
  deps: ActivityDeps,
  em: Em,
  { id, cycleId }: Charge,
  status: ChargeStatus,
): Promise<void> {
  if (cycleId === null || status === 'PENDING') return;
  const [cycle] = await em.execute<{ subscription_id: SubscriptionId }[]>(
    'select subscription_id from installments where id = :cycleId',
    { cycleId },
  );
  if (cycle === undefined) throw new Error(`${id} names a cycle that is not there`);
  await deps.tellSubscription(cycle.subscription_id, { chargeId: id, status });
}
