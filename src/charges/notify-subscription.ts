import type { ChargeStatus } from '../domain/charge.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { ChargeDeps } from './effects.ts';
import type { Loaded } from './load-charge.ts';

/** Notifies the waiting subscription that an attempt at a cycle has ended. A repeated signal has no effect. */
export async function notifySubscription(
  deps: Pick<ChargeDeps, 'notifySubscription'>,
  { em, charge: { id, cycleId } }: Loaded,
  status: ChargeStatus,
): Promise<void> {
  if (cycleId === null || status === 'PENDING') return;
  const [cycle] = await em.execute<{ subscription_id: SubscriptionId }[]>(
    'select subscription_id from installments where id = :cycleId',
    { cycleId },
  );
  if (cycle === undefined) throw new Error(`${id} names a cycle that is not there`);
  await deps.notifySubscription(cycle.subscription_id, { chargeId: id, status });
}
