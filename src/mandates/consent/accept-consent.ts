import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { changeLockedToPix } from '../../subscriptions/change-to-pix.ts';
import { dropDebits } from '../../subscriptions/debits/drop-debits.ts';
import type { SubscriptionDeps } from '../../subscriptions/effects.ts';
import { writeLifecycleEvent } from '../../subscriptions/write-lifecycle-event.ts';

export interface AcceptedConsent {
  readonly subscription: Subscription;
  readonly deliveries: readonly DeliveryToStart[];
}

/**
 * Debits the next cycles of a locked subscription under a mandate that its payer has accepted without a payment, in the caller's
 * transaction, with its events: a card and an earlier mandate are used no more. An ordered debit under the earlier one is dropped, and
 * planned again if there is time. A cycle that is open is paid as it was.
 * @returns null if a newer request waits for this payer, or the subscription has ended: rounds end the mandate then.
 */
export async function acceptConsent(
  deps: Pick<SubscriptionDeps, 'publicUrl' | 'wakeDebit'>,
  tx: Em,
  locked: Subscription,
  mandate: Mandate,
  now: Date,
): Promise<AcceptedConsent | null> {
  if (locked.status !== 'ACTIVE' || (await isReplaced(tx, mandate))) return null;
  await dropDebits(deps, tx, locked, now);
  const changed = await changeLockedToPix(deps, tx, locked, { realNow: new Date(), storeNow: now });
  // The next cycle may have been left without a debit, because the earlier mandate did not cover it.
  const link = { mandateId: mandate.id, debitNumber: locked.cycleNumber, updatedAt: now };
  await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, link);
  const subscription = { ...changed.subscription, ...link };
  const more = { mandateId: mandate.id };
  const deliveries = await writeLifecycleEvent(deps, tx, 'subscription.authorized', subscription, more, now);
  return { subscription, deliveries: [...changed.deliveries, ...deliveries] };
}

async function isReplaced(tx: Em, { id, checkoutId, createdAt }: Mandate): Promise<boolean> {
  const newer = { checkoutId, consentCode: { $ne: null }, createdAt: { $gt: createdAt }, id: { $ne: id } };
  return (await tx.count(MandateEntity, newer)) > 0;
}
