import { CheckoutEntity } from '../database/entities/checkout.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { MandateId } from '../domain/ids.ts';
import { AUTHORIZATION_REFUSED, hasMandateEnded, type MandateStatus } from '../domain/mandate.ts';
import type { ProviderMandate } from '../providers/ports/mandates.ts';
import { portOf } from '../providers/provider.ts';
import { issuerOrRetry } from '../providers/serving-provider.ts';
import { billingSettingsOf } from '../stores/billing-settings.ts';
import { endSubscription, followEnd } from '../subscriptions/cancel-subscription.ts';
import { dropDebits } from '../subscriptions/debits/drop-debits.ts';
import { lockSubscription } from '../subscriptions/lock-subscription.ts';
import { writeLifecycleEvent } from '../subscriptions/write-lifecycle-event.ts';
import { acceptConsent } from './consent/accept-consent.ts';
import type { MandateDeps } from './effects.ts';

/**
 * Asks the provider how a mandate is, and records what has changed, with its event. A mandate that its payer has ended pays nothing any
 * more: the subscription ends, or its later cycles are paid by codes, as the store wants. One that its payer has never accepted leaves
 * the subscription a code per cycle. A notification alone proves nothing, and "not found" is never final.
 * @returns the mandate afterwards.
 */
export async function followMandate(deps: MandateDeps, id: MandateId, now: Date): Promise<Mandate> {
  const em = deps.database.em.fork();
  const mandate = await em.findOneOrFail(MandateEntity, { id }, { disableIdentityMap: true });
  if (hasMandateEnded(mandate.status)) return mandate;
  const provider = await issuerOrRetry(deps, mandate);
  const found = await portOf(provider, 'mandates').find(mandate.providerMandateId, now);
  await em.nativeUpdate(MandateEntity, { id }, { askedAt: now });
  if (found === null || found.status === 'UNKNOWN' || found.status === mandate.status) return mandate;
  const { subscription, deliveries } = await em.transactional((tx) => record(deps, tx, id, found, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  if (subscription !== null) {
    if (subscription.status === 'CANCELLED') await followEnd(deps, subscription.id, now);
    await deps.wakeSubscription(subscription);
  }
  return em.findOneOrFail(MandateEntity, { id }, { disableIdentityMap: true });
}

/** Records the consent that came with the first payment of a subscription. What fails is asked again when its first debit is ordered. */
export async function followOfSubscription(
  deps: MandateDeps,
  { id, mandateId, createdAt }: Subscription,
): Promise<void> {
  if (mandateId === null) return;
  try {
    await followMandate(deps, mandateId, createdAt);
  } catch (error) {
    deps.log.warn(
      { subscriptionId: id, err: error },
      'the authorization of a new subscription is not known yet',
    );
  }
}

interface Recorded {
  /** Set if its subscription changes with it. */
  readonly subscription: Subscription | null;
  readonly deliveries: readonly DeliveryToStart[];
}

async function record(
  deps: MandateDeps,
  tx: Em,
  id: MandateId,
  found: ProviderMandate,
  now: Date,
): Promise<Recorded> {
  const { checkoutId } = await tx.findOneOrFail(MandateEntity, { id }, { disableIdentityMap: true });
  const { subscriptionId } = await tx.findOneOrFail(
    CheckoutEntity,
    { id: checkoutId },
    { disableIdentityMap: true },
  );
  const locked = subscriptionId === null ? null : await lockSubscription(tx, subscriptionId);
  const before = await tx.findOneOrFail(MandateEntity, { id }, { disableIdentityMap: true });
  const { status } = found;
  const isNews = before.status !== status && !hasMandateEnded(before.status) && status !== 'PENDING';
  if (!isNews) return { subscription: null, deliveries: [] };
  await tx.nativeUpdate(MandateEntity, { id }, changeOf(found, now));
  if (locked === null) return { subscription: null, deliveries: [] };
  if (locked.mandateId !== id) return recordConsent(deps, tx, locked, before, found, now);
  if (!hasMandateEnded(status)) {
    const deliveries = await write(deps, tx, 'subscription.authorized', locked, { mandateId: id }, now);
    return { subscription: null, deliveries };
  }
  return recordEnd(deps, tx, locked, before.status, found, now);
}

/** The answer to a request without a payment. */
async function recordConsent(
  deps: MandateDeps,
  tx: Em,
  locked: Subscription,
  mandate: Mandate,
  { status, end }: ProviderMandate,
  now: Date,
): Promise<Recorded> {
  const none = { subscription: null, deliveries: [] };
  // Nobody waits for an answer to a code of a first payment, or to a request that was withdrawn.
  if (mandate.consentCode === null || mandate.endRequestedAt !== null || locked.status !== 'ACTIVE')
    return none;
  if (status === 'ACTIVE') return (await acceptConsent(deps, tx, locked, mandate, now)) ?? none;
  if (!hasMandateEnded(status) || mandate.status !== 'PENDING') return none;
  const more = { mandateId: mandate.id, endedBy: end?.by ?? null, code: end?.code ?? null };
  const deliveries = await write(deps, tx, 'subscription.authorization_refused', locked, more, now);
  return { subscription: null, deliveries };
}

async function recordEnd(
  deps: MandateDeps,
  tx: Em,
  locked: Subscription,
  before: MandateStatus,
  { status, end }: ProviderMandate,
  now: Date,
): Promise<Recorded> {
  const unlinked = { ...locked, mandateId: null, updatedAt: now };
  await tx.nativeUpdate(SubscriptionEntity, { id: locked.id }, { mandateId: null, updatedAt: now });
  await dropDebits(deps, tx, locked, now);
  const wasAccepted = before === 'ACTIVE' || status === 'CANCELLED';
  const name = wasAccepted ? 'subscription.authorization_cancelled' : 'subscription.authorization_refused';
  const more = { mandateId: locked.mandateId ?? '', endedBy: end?.by ?? null, code: end?.code ?? null };
  const deliveries = await write(deps, tx, name, unlinked, more, now);
  const { mandateEnd } = await billingSettingsOf(tx, locked);
  if (!wasAccepted || mandateEnd === 'CODE' || locked.status !== 'ACTIVE')
    return { subscription: unlinked, deliveries };
  const last = await endSubscription(deps, tx, unlinked, AUTHORIZATION_REFUSED, now);
  return { subscription: { ...unlinked, status: 'CANCELLED' }, deliveries: [...deliveries, ...last] };
}

const write = writeLifecycleEvent;

function changeOf({ status, end }: ProviderMandate, now: Date): Partial<Mandate> {
  const hasEnded = hasMandateEnded(status);
  return {
    status,
    ...(status === 'ACTIVE' && { activatedAt: now }),
    ...(hasEnded && { endedAt: now, endedBy: end?.by ?? null, endCode: end?.code ?? null }),
    updatedAt: now,
  };
}
