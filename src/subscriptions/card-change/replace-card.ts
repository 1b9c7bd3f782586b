import { eraseReplacedCard } from '../../cards/card-erasures.ts';
import { type CardChange, CardChangeEntity } from '../../database/entities/card-change.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { SubscriptionId } from '../../domain/ids.ts';
import { isKeptPastDue } from '../../domain/subscription.ts';
import { methodsOfChange } from '../../events/subscription/payment-method-changed.ts';
import { dropDebits } from '../debits/drop-debits.ts';
import { attemptNow } from '../dunning/attempt-now.ts';
import type { SubscriptionDeps } from '../effects.ts';
import { lockSubscription } from '../lock-subscription.ts';
import { writeLifecycleEvent } from '../write-lifecycle-event.ts';
import { type CardChangeMoment, endAsUnused } from './end-as-unused.ts';

export interface ReplacedCard {
  readonly subscription: Subscription;
  readonly deliveries: readonly DeliveryToStart[];
  /** Whether the next attempt at an unpaid cycle is due at once, and its run must learn that. */
  readonly isAttemptDue: boolean;
}

/**
 * Replaces the subscription's card by a verified one, or its PIX codes by a card, with its event, and has the old card erased at
 * its provider. In one transaction, under the lock that attempts take: an attempt that is being prepared charges either the old
 * card or the new one.
 * - If the next attempt at an unpaid cycle waits, or the cycle waits for its payer, an attempt is due now.
 * - If an attempt with the old card, or a code, is under way, it continues; should it fail, the next one is due at once (`failAttempt`).
 *
 * Either way the cycle may be attempted once more than the retry policy says, so a failing old card does not end a subscription
 * whose payer has just entered another one. A subscription that has ended keeps nothing of the new card.
 */
export async function replaceCard(
  deps: Pick<SubscriptionDeps, 'publicUrl' | 'wakeDebit'>,
  tx: Em,
  change: CardChange,
  { realNow, storeNow }: CardChangeMoment,
): Promise<ReplacedCard> {
  const locked = await lockSubscription(tx, change.subscriptionId);
  const none = { subscription: locked, deliveries: [], isAttemptDue: false };
  if (locked.status !== 'ACTIVE') {
    await endAsUnused(tx, change, { status: 'ABANDONED' }, realNow);
    return none;
  }
  const { attemptDueAt, cycleNumber, storeId, devMode, cardToken: oldToken } = locked;
  const isKept = isKeptPastDue(locked);
  const isOpen = attemptDueAt !== null || isKept;
  const done = {
    status: 'DONE' as const,
    cardToken: null,
    actionUrl: null,
    endedAt: realNow,
    grantedCycle: isOpen ? cycleNumber : null,
  };
  const count = await tx.nativeUpdate(CardChangeEntity, { id: change.id, status: 'PENDING' }, done);
  // Another request has ended it.
  if (count === 0) return none;
  const isAttemptDue = isKept || (attemptDueAt !== null && attemptDueAt > storeNow);
  const changed = {
    method: 'CARD' as const,
    mandateId: null,
    cardToken: change.cardToken,
    cardBrand: change.cardBrand,
    cardLastFour: change.cardLastFour,
    cardExpiryMonth: change.cardExpiryMonth,
    expiryAnnouncedDays: 0,
    ...(isAttemptDue && attemptNow(locked, storeNow)),
    updatedAt: storeNow,
  };
  await dropDebits(deps, tx, locked, storeNow);
  await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, changed);
  const subscription = { ...locked, ...changed };
  const methods = methodsOfChange(subscription, locked);
  const name = 'subscription.payment_method_changed';
  const deliveries = await writeLifecycleEvent(deps, tx, name, subscription, methods, storeNow);
  // The provider of the old card is not known here: another account of the store may have taken cards then.
  if (oldToken !== null)
    await eraseReplacedCard(tx, { storeId, devMode, token: oldToken, provider: null }, realNow);
  return { subscription, deliveries, isAttemptDue };
}

const COUNT_GRANTED = statement<{ id: SubscriptionId; number: number }, { count: number }>(
  'count attempts granted by new cards',
  () => `
  select count(*) as count from card_changes
  where subscription_id = :id and granted_cycle = :number and status = 'DONE'`,
);

/** How many attempts more than its retry policy says a cycle gets, because its payer has replaced the card. */
export async function attemptsGrantedTo(tx: Em, id: SubscriptionId, number: number): Promise<number> {
  const [granted] = await COUNT_GRANTED(tx, { id, number });
  return Number(granted?.count ?? 0);
}
