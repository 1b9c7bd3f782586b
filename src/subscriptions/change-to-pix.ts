import { eraseReplacedCard } from '../cards/card-erasures.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Database, Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { isKeptPastDue, MOST_EXTRA_ATTEMPTS } from '../domain/subscription.ts';
import { methodsOfChange } from '../events/subscription/payment-method-changed.ts';
import type { CardChangeMoment } from './card-change/end-as-unused.ts';
import { attemptNow } from './dunning/attempt-now.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

export interface ChangedToPix {
  readonly subscription: Subscription;
  readonly deliveries: readonly DeliveryToStart[];
  /** Whether the next attempt at an unpaid cycle is due at once, and its run must learn that. */
  readonly isAttemptDue: boolean;
}

/**
 * Charges a subscription by PIX codes instead of its card from now on, with its event, and has the card erased at its provider. In
 * one transaction, under the lock that attempts take.
 * - If the next attempt at an unpaid cycle waits, or the cycle waits for its payer, its code is issued now.
 * - If the card is being charged, that attempt continues; should it fail, the code is issued at once (`failAttempt`).
 *
 * The unpaid cycle may be attempted once more than the retry policy says, as after a new card, but with the attempts that
 * somebody asked for never more than {@link MOST_EXTRA_ATTEMPTS} times. A repeated call changes nothing, and neither does one
 * for a subscription that has ended.
 * @param alsoIn the last statement of the transaction, if it changes something.
 */
export function changeToPix(
  deps: Pick<SubscriptionDeps, 'publicUrl'> & { readonly database: Database },
  id: SubscriptionId,
  moment: CardChangeMoment,
  alsoIn?: (tx: Em) => Promise<void>,
): Promise<ChangedToPix> {
  return deps.database.em.fork().transactional(async (tx) => {
    const locked = await lockSubscription(tx, id);
    const changed = await changeLockedToPix(deps, tx, locked, moment);
    if (changed.subscription !== locked) await alsoIn?.(tx);
    return changed;
  });
}

/** The same in the caller's transaction. @param locked the row is locked. */
export async function changeLockedToPix(
  deps: Pick<SubscriptionDeps, 'publicUrl'>,
  tx: Em,
  locked: Subscription,
  { realNow, storeNow }: CardChangeMoment,
): Promise<ChangedToPix> {
  if (locked.status !== 'ACTIVE' || METHOD_TRAITS[locked.method].hasCode)
    return { subscription: locked, deliveries: [], isAttemptDue: false };
  const { id, attemptDueAt, extraAttempts, storeId, devMode, cardToken } = locked;
  const isKept = isKeptPastDue(locked);
  const isOpen = attemptDueAt !== null || isKept;
  const isAttemptDue = isKept || (attemptDueAt !== null && attemptDueAt > storeNow);
  const change = {
    method: 'PIX' as const,
    cardToken: null,
    cardBrand: null,
    cardLastFour: null,
    cardExpiryMonth: null,
    expiryAnnouncedDays: 0,
    ...(isOpen && { extraAttempts: Math.min(extraAttempts + 1, MOST_EXTRA_ATTEMPTS) }),
    ...(isAttemptDue && attemptNow(locked, storeNow)),
    updatedAt: storeNow,
  };
  await tx.nativeUpdate(SubscriptionEntity, { id }, change);
  const subscription = { ...locked, ...change };
  const name = 'subscription.payment_method_changed';
  const methods = methodsOfChange(subscription, locked);
  const deliveries = await writeLifecycleEvent(deps, tx, name, subscription, methods, storeNow);
  // The provider of the card is not known here: another account of the store may have taken cards then.
  if (cardToken !== null)
    await eraseReplacedCard(tx, { storeId, devMode, token: cardToken, provider: null }, realNow);
  return { subscription, deliveries, isAttemptDue };
}
