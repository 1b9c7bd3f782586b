import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { SubscriptionState } from '../../domain/subscription.ts';
import { type ListQuery, type Page, paginate } from '../frame/pagination.ts';
import { ownedBy } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';

/** Filters for subscriptions; null for any. */
export interface SubscriptionFilter {
  readonly state: SubscriptionState | null;
  readonly customerIds: readonly CustomerId[] | null;
  /** When they began. */
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** Neither a cancellation nor a pause. */
const UNCHANGED = 'cancel_at is null and paused_at is null';

/** Conditions as in the indexes of migrations 0063 and 0075. They have no parameters, so that Postgres recognizes them. */
const STATES: Readonly<Record<SubscriptionState, string>> = {
  TRIALING: `status = 'ACTIVE' and failed_attempts = 0 and cycle_number = 0 and ${UNCHANGED}`,
  PAST_DUE: "status = 'ACTIVE' and failed_attempts > 0 and (paused_at is null or pause_cause = 'PAST_DUE')",
  ACTIVE: `status = 'ACTIVE' and failed_attempts = 0 and cycle_number > 0 and ${UNCHANGED}`,
  PAUSED: "status = 'ACTIVE' and paused_at is not null and pause_cause is distinct from 'PAST_DUE'",
  CANCELLING: "status = 'ACTIVE' and cancel_at is not null and failed_attempts = 0 and paused_at is null",
  CANCELLED: "status = 'CANCELLED'",
};

/** Subscriptions by their start, newest first, as the dashboard lists them. @throws ApiError INVALID_CURSOR */
export function subscriptionsBy(
  em: Em,
  caller: Pick<Caller, 'storeId' | 'devMode'>,
  filter: SubscriptionFilter,
  query: ListQuery,
): Promise<Page<Subscription>> {
  const { state, customerIds, createdFrom, createdTo } = filter;
  const where = {
    ...ownedBy(caller),
    ...(state !== null && { [raw(STATES[state])]: [] }),
    ...(customerIds !== null && { customerId: { $in: [...customerIds] } }),
    ...createdWithin({ createdFrom, createdTo }),
  };
  return paginate(
    { em, path: '/subscriptions/list/by-state', query },
    SubscriptionEntity,
    where as FilterQuery<Subscription>,
  );
}
