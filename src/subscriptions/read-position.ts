import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { positionOf } from '../domain/subscription-position.ts';
import type { SubscriptionDeps } from './effects.ts';
import type { MovedSubscription } from './pause-subscription.ts';

/** Where a subscription is, from its row alone. Changes nothing. */
export async function readPosition(
  { database }: Pick<SubscriptionDeps, 'database'>,
  id: SubscriptionId,
): Promise<MovedSubscription> {
  const row = await database.em.fork().findOneOrFail(SubscriptionEntity, { id });
  const { status } = row;
  return { status, position: status === 'ACTIVE' ? positionOf(row) : null };
}
