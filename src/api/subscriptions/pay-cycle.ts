import { setTimeout as sleep } from 'node:timers/promises';
import { ChargeEntity } from '../../database/entities/charge.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Database } from '../../database/orm.ts';
import { canBePaidNow, MOST_EXTRA_ATTEMPTS } from '../../domain/subscription.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { notActive, requireActiveSubscription, requireSubscription } from './queries.ts';
import { reachSubscription } from './reach-subscription.ts';

/** How long a caller waits for the result of an attempt, and how often its rows are read. */
const RESULT_WITHIN_MS = 3_000;
const READ_EVERY_MS = 100;
const MINUTE_MS = 60_000;

/**
 * Has an overdue cycle charged now: to the card on file, or by a new code. If an attempt is under way, or nothing is
 * overdue, nothing changes.
 * @returns the subscription once the attempt has ended or has a code, or after three seconds.
 * @throws ApiError 404 if it is not active, 422 after too many such attempts, 503 if Temporal is unreachable.
 */
export async function payCycle(request: ApiRequest<unknown, { readonly id: string }>): Promise<Subscription> {
  const { em, key, body, deps, now, requestId } = request;
  const found = await requireActiveSubscription(em, key, body.id);
  const { cycleNumber, extraAttempts } = found;
  const isPossible = canBePaidNow(found, now);
  if (isPossible && extraAttempts >= MOST_EXTRA_ATTEMPTS)
    throw brokenRule(
      'TOO_MANY_REQUESTED_ATTEMPTS',
      'id',
      'was attempted too often on request; wait for the next attempt, or replace the card',
    );
  // Requests that find the same state ask for one attempt together.
  if (isPossible) await request.expectLine(found.id, undefined, [found.id, cycleNumber, extraAttempts]);
  const status = await reachSubscription(request, () => deps.subscriptionUpdates.pay(found, requestId));
  if (status !== 'ACTIVE') throw notActive();
  await attemptResult(deps.database, found, now);
  return requireSubscription(em.fork(), key, body.id);
}

/**
 * Waits until the attempt that is under way has ended, or has a code that can be paid.
 * @param now the store's time: an attempt that is due then, or a moment later, is under way.
 */
export async function attemptResult(
  database: Database,
  { id }: Pick<Subscription, 'id'>,
  now: Date,
): Promise<void> {
  const soon = new Date(now.getTime() + MINUTE_MS);
  const until = Date.now() + RESULT_WITHIN_MS;
  while (Date.now() < until && (await isUnderWay(database, id, soon))) await sleep(READ_EVERY_MS);
}

async function isUnderWay(database: Database, id: Subscription['id'], soon: Date): Promise<boolean> {
  const em = database.em.fork();
  const { attemptDueAt, cycleNumber } = await em.findOneOrFail(SubscriptionEntity, { id });
  if (attemptDueAt === null || attemptDueAt > soon) return false;
  const cycle = await em.findOne(CycleEntity, { subscriptionId: id, number: cycleNumber });
  if (cycle === null) return false;
  const code = { cycleId: cycle.id, status: 'PENDING' as const, brCode: { $ne: null } };
  return (await em.count(ChargeEntity, code)) === 0;
}
