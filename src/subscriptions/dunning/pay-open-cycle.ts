import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { SubscriptionId } from '../../domain/ids.ts';
import { canBePaidNow, MOST_EXTRA_ATTEMPTS } from '../../domain/subscription.ts';
import { positionOf } from '../../domain/subscription-position.ts';
import type { SubscriptionDeps } from '../effects.ts';
import { lockSubscription } from '../lock-subscription.ts';
import type { MovedSubscription } from '../pause-subscription.ts';
import { attemptNow } from './attempt-now.ts';

/**
 * Makes another attempt at an overdue cycle due now: the card on file, or a new code. It does not use up the retry policy.
 * Nothing changes while an attempt is under way, and if nothing is overdue, so a repeated call makes one attempt. After
 * {@link MOST_EXTRA_ATTEMPTS} of one cycle nothing changes either: issuers penalize stores that try a card too often.
 */
export async function payOpenCycle(
  { database }: Pick<SubscriptionDeps, 'database'>,
  id: SubscriptionId,
  now: Date,
): Promise<MovedSubscription> {
  return database.em.fork().transactional(async (tx) => {
    const locked = await lockSubscription(tx, id);
    const { status, extraAttempts, attemptDueAt } = locked;
    if (status !== 'ACTIVE') return { status, position: null };
    // An earlier run of this activity may have made it due, without the run of the subscription knowing.
    if (attemptDueAt !== null && attemptDueAt <= now) return { status, position: positionOf(locked) };
    if (!canBePaidNow(locked, now) || extraAttempts >= MOST_EXTRA_ATTEMPTS) return { status, position: null };
    const change = { ...attemptNow(locked, now), extraAttempts: extraAttempts + 1, updatedAt: now };
    await tx.nativeUpdate(SubscriptionEntity, { id }, change);
    return { status, position: positionOf({ ...locked, ...change }) };
  });
}
