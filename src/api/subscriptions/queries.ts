import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import { PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { usageOfCycle } from '../../database/usage-of-cycle.ts';
import type { CustomerId, SubscriptionId } from '../../domain/ids.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { SubscriptionDetails } from '../../wire/subscription/presenter.ts';
import { ApiError, notFound } from '../frame/errors.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import type { FindSubscriptionQuery } from './schema.ts';

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireSubscription(em: Em, caller: Caller, id: string): Promise<Subscription> {
  const where = { ...ownedBy(caller), id: id as SubscriptionId };
  return requireRow(em, SubscriptionEntity, where, 'Subscription');
}

/** The newest subscription that matches all that is given. @throws ApiError NOT_FOUND */
export async function findSubscription(
  em: Em,
  caller: Caller,
  { id, externalId, customerId }: FindSubscriptionQuery,
): Promise<Subscription> {
  const where = {
    ...ownedBy(caller),
    ...(id !== undefined && { id: id as SubscriptionId }),
    ...(externalId !== undefined && { externalId }),
    ...(customerId !== undefined && { customerId: customerId as CustomerId }),
  };
  const options = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const;
  const found = await em.findOne(SubscriptionEntity, where, options);
  if (found === null) throw notFound('Subscription');
  return found;
}

/** @throws ApiError 404, also for a cancelled subscription (contract section 6). */
export async function requireActiveSubscription(em: Em, caller: Caller, id: string): Promise<Subscription> {
  const where = { ...ownedBy(caller), id: id as SubscriptionId };
  const subscription = await em.findOne(SubscriptionEntity, where, { disableIdentityMap: true });
  if (subscription?.status !== 'ACTIVE') throw notActive();
  return subscription;
}

/** The subscription if a request, and not failed charges, cancelled it; otherwise null. */
export function cancelledByRequest(em: Em, caller: Caller, id: string): Promise<Subscription | null> {
  const cancelled = { status: 'CANCELLED' as const, cancelledDueTo: null };
  const where = { ...ownedBy(caller), id: id as SubscriptionId, ...cancelled };
  return em.findOne(SubscriptionEntity, where, { disableIdentityMap: true });
}

/** The error for a subscription that can no longer be changed, charged or cancelled (contract section 6). */
export function notActive(): ApiError<'NOT_FOUND'> {
  return new ApiError(404, 'NOT_FOUND', 'Subscription not found or not active');
}

/** The current details of a subscription. */
export async function detailsOf(em: Em, subscription: Subscription, now: Date): Promise<SubscriptionDetails> {
  const { id: subscriptionId, cycleNumber } = subscription;
  const openCharge = await openChargeOf(em, subscription, now);
  const waiting = { subscriptionId, status: 'PENDING' as const };
  const pendingUpdate = await em.findOne(PlanUpdateEntity, waiting, { disableIdentityMap: true });
  const used = await usageOfCycle(em, { id: subscriptionId, number: cycleNumber + 1 });
  return { openCharge, pendingUpdate, used };
}

/** The PIX charge of the current cycle that can be paid now. */
async function openChargeOf(
  em: Em,
  { id, method, cycleNumber }: Subscription,
  now: Date,
): Promise<Charge | null> {
  if (!METHOD_TRAITS[method].hasCode) return null;
  const current = { subscriptionId: id, number: cycleNumber };
  const cycle = await em.findOne(CycleEntity, current, { disableIdentityMap: true });
  if (cycle === null) return null;
  const open = {
    cycleId: cycle.id,
    method,
    status: 'PENDING' as const,
    closesAt: { $gt: now },
  };
  return em.findOne(ChargeEntity, open, { disableIdentityMap: true });
}
