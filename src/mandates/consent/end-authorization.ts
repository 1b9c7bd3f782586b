import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Database, Em } from '../../database/orm.ts';
import type { MandateId, SubscriptionId } from '../../domain/ids.ts';
import { hasMandateEnded } from '../../domain/mandate.ts';
import { dropDebits } from '../../subscriptions/debits/drop-debits.ts';
import type { SubscriptionDeps } from '../../subscriptions/effects.ts';
import { lockSubscription } from '../../subscriptions/lock-subscription.ts';
import { writeLifecycleEvent } from '../../subscriptions/write-lifecycle-event.ts';

/**
 * Ends an authorization here: nothing is ordered under it any more, what is ordered and can be cancelled is dropped, and each later
 * cycle is paid by a code. Rounds end it at its bank. A debit whose due date has begun pays its cycle. One that has ended stays as it is.
 * @param by who has asked for it.
 * @param alsoIn the last statement of the transaction, if it changes something.
 */
export async function endAuthorization(
  deps: Pick<SubscriptionDeps, 'publicUrl' | 'wakeDebit' | 'startDelivery'> & { readonly database: Database },
  subscriptionId: SubscriptionId,
  { id }: Pick<Mandate, 'id'>,
  by: 'PAYER' | 'RECEIVER',
  now: Date,
  alsoIn?: (tx: Em) => Promise<void>,
): Promise<void> {
  const deliveries = await deps.database.em.fork().transactional(async (tx) => {
    const locked = await lockSubscription(tx, subscriptionId);
    const { status, endRequestedAt } = await tx.findOneOrFail(
      MandateEntity,
      { id },
      { disableIdentityMap: true },
    );
    if (hasMandateEnded(status) || endRequestedAt !== null) return [];
    await tx.nativeUpdate(MandateEntity, { id }, { endRequestedAt: now, endedBy: by, updatedAt: now });
    const written =
      locked.mandateId === id ? await unlink(deps, tx, { ...locked, mandateId: id }, by, now) : [];
    await alsoIn?.(tx);
    return written;
  });
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
}

/** No cycle of the subscription is debited any more. @returns the deliveries of the event. */
async function unlink(
  deps: Pick<SubscriptionDeps, 'publicUrl' | 'wakeDebit'>,
  tx: Em,
  locked: Subscription & { readonly mandateId: MandateId },
  by: 'PAYER' | 'RECEIVER',
  now: Date,
): Promise<DeliveryToStart[]> {
  await dropDebits(deps, tx, locked, now);
  const unlinked = { mandateId: null, consentDueAt: null, updatedAt: now };
  await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, unlinked);
  const more = { mandateId: locked.mandateId, endedBy: by, code: null };
  const changed = { ...locked, ...unlinked };
  return writeLifecycleEvent(deps, tx, 'subscription.authorization_cancelled', changed, more, now);
}
