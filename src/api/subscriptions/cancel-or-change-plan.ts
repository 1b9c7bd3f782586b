import { isDeepStrictEqual } from 'node:util';
import type { AuditDetails } from '../../audit-log/record-action.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../../database/entities/plan-update.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../domain/idempotency-window.ts';
import type { PlanUpdateId } from '../../domain/ids.ts';
import { derivedId, mintId } from '../../ids.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import type { ChangePlanBody } from './change-schema.ts';
import { cancelledByRequest, notActive, requireActiveSubscription, requireSubscription } from './queries.ts';
import { reachSubscription } from './reach-subscription.ts';
import type { CancelBody, PauseBody } from './schema.ts';
import { notNow, type WantedChange, wantedPlan } from './wanted-change.ts';

/**
 * Ends a subscription at once, or with its current cycle. With an `Idempotency-Key`, an already cancelled subscription is returned
 * unchanged, because the request may be a retry after a 503 or a lost response. Without a key the contract
 * requires the error "not active".
 * @throws ApiError 404 if it is not active, 503 if Temporal is unreachable.
 */
export async function cancelSubscription(request: ApiRequest<unknown, CancelBody>): Promise<Subscription> {
  const { em, key, body, deps, requestId, idempotencyKey } = request;
  const before = idempotencyKey === null ? null : await cancelledByRequest(em, key, body.id);
  if (before !== null) return before;
  const found = await requireActiveSubscription(em, key, body.id);
  const { atPeriodEnd } = body;
  await request.expectLine(found.id, { atPeriodEnd }, atPeriodEnd ? null : [found.id]);
  const how = atPeriodEnd ? 'scheduleCancellation' : 'cancel';
  await reachSubscription(request, () => deps.subscriptionUpdates[how](found, requestId));
  return changed(request, found, atPeriodEnd ? ['cancelAt'] : ['status']);
}

/**
 * Pauses a subscription at once, or changes its pause.
 * @throws ApiError 404 if the subscription is not active, 422 if the end is over or too far ahead, 503 if Temporal
 * is unreachable.
 */
export async function pauseSubscription(request: ApiRequest<unknown, PauseBody>): Promise<Subscription> {
  const { em, key, body, deps, now, requestId } = request;
  const found = await requireActiveSubscription(em, key, body.id);
  const untilMs = body.until?.getTime() ?? null;
  if (untilMs !== null && (untilMs <= now.getTime() || untilMs > now.getTime() + LONGEST_PAUSE_MS))
    throw brokenRule('PAUSE_END_OUT_OF_RANGE', 'until', 'must be in the future, at most two years ahead');
  const terms = { untilMs, keepsAnchor: body.keepAnchor };
  await request.expectLine(found.id, { resumesAt: body.until?.toISOString() ?? null });
  const status = await reachSubscription(request, () =>
    deps.subscriptionUpdates.pause(found, terms, requestId),
  );
  if (status !== 'ACTIVE') throw notActive();
  return changed(request, found, ['pausedAt', 'resumesAt', 'keepsAnchor', 'pauseCause']);
}

const LONGEST_PAUSE_MS = 2 * 366 * 24 * 60 * 60 * 1_000;

/**
 * Ends a pause and undoes a scheduled cancellation; without either, nothing changes.
 * @throws ApiError 404 if the subscription is not active, 503 if Temporal is unreachable.
 */
export async function resumeSubscription(
  request: ApiRequest<unknown, { readonly id: string }>,
): Promise<Subscription> {
  const { em, key, body, deps, requestId } = request;
  const found = await requireActiveSubscription(em, key, body.id);
  await request.expectLine(found.id);
  const status = await reachSubscription(request, () => deps.subscriptionUpdates.resume(found, requestId));
  if (status !== 'ACTIVE') throw notActive();
  return changed(request, found, ['pausedAt', 'cancelAt']);
}

/** The subscription as it is now. If these fields are as they were, the request has changed nothing. */
async function changed(
  request: ApiRequest,
  before: Subscription,
  fields: readonly (keyof Subscription)[],
): Promise<Subscription> {
  const after = await requireSubscription(request.em, request.key, before.id);
  if (fields.every((field) => isDeepStrictEqual(before[field], after[field]))) request.noteUnchanged();
  return after;
}

/**
 * Changes the plan, from the next cycle on or now; it replaces a change already scheduled.
 * @throws ApiError 404 if it is not active, 422 if a product is not one of the caller's plans, does not fit or is too expensive, or the
 * change cannot start now, 503 if Temporal is unreachable.
 */
export async function changePlan(request: ApiRequest<unknown, ChangePlanBody>): Promise<PlanUpdate> {
  const { em, key, body } = request;
  const found = await requireActiveSubscription(em, key, body.id);
  const { productId, quantity, when } = body;
  const details = { productId, quantity, startsNow: when === 'now' };
  return storedChange(request, found, details, (subscription) => wantedPlan(request, subscription, body));
}

/**
 * Has the workflow store a change of the plan.
 * @param details of the audit line. @param wanted the change, as the subscription allows it.
 * @throws ApiError 404 if it is not active any more, 422 for what `wanted` refuses, 503 if Temporal is unreachable.
 */
export async function storedChange(
  request: ApiRequest,
  found: Subscription,
  details: AuditDetails,
  wanted: (subscription: Subscription) => Promise<WantedChange>,
): Promise<PlanUpdate> {
  const { em, key, deps, requestId, idempotencyKey } = request;
  const planUpdateId = await planUpdateIdOf(request, found);
  // A retry of a change that has started: the subscription may not allow another one now.
  const before = idempotencyKey === null ? null : await findUpdate(em, planUpdateId);
  if (before?.starts === 'NOW') {
    await request.expectLine(found.id, details, [planUpdateId]);
    return before;
  }
  const { wish, proration } = await wanted(found);
  await request.expectLine(found.id, details, [planUpdateId]);
  const change = { planUpdateId, ...wish, ...(proration !== null && { proration }) };
  const status = await reachSubscription(request, () =>
    deps.subscriptionUpdates.changePlan(found, change, requestId),
  );
  if (status !== 'ACTIVE') throw notActive();
  const stored = await findUpdate(em, planUpdateId);
  if (stored !== null) return stored;
  // The subscription has changed since it was read: what it is now says why.
  await wanted(await requireActiveSubscription(em, key, found.id));
  throw notNow();
}

export function findUpdate(em: Em, id: PlanUpdateId): Promise<PlanUpdate | null> {
  return em.findOne(PlanUpdateEntity, { id }, { disableIdentityMap: true });
}

/**
 * The id of the change. A retry with the same `Idempotency-Key` is the same change, published once; the first
 * request may have succeeded although its response was a 503 or was lost. A key that is too old to be a retry
 * (contract section 1.14) is a new request.
 */
export async function planUpdateIdOf(
  { em, body, now, idempotencyKey }: ApiRequest,
  { id, createdAt }: Subscription,
): Promise<PlanUpdateId> {
  const minted = mintId<PlanUpdateId>('planUpdate', now);
  if (idempotencyKey === null) return minted;
  const seed = canonicalJson([id, idempotencyKey, body]);
  const derived = derivedId<PlanUpdateId>('planUpdate', createdAt, seed);
  const before = await findUpdate(em, derived);
  const isTooOld = before !== null && now.getTime() - before.requestedAt.getTime() > IDEMPOTENCY_WINDOW_MS;
  return isTooOld ? minted : derived;
}
