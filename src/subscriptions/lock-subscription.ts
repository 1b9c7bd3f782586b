import { LockMode } from '@mikro-orm/core';
import { ApplicationFailure } from '@temporalio/common';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { SubscriptionId } from '../domain/ids.ts';

/** Loads and locks the subscription until the transaction ends: nothing is charged, changed or cancelled meanwhile. */
export async function lockSubscription(em: Em, id: SubscriptionId): Promise<Subscription> {
  const subscription = await em.findOne(
    SubscriptionEntity,
    { id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true },
  );
  if (subscription === null)
    throw ApplicationFailure.nonRetryable(`No subscription ${id}`, 'SUBSCRIPTION_NOT_FOUND');
  return subscription;
}
