import { isDeepStrictEqual } from 'node:util';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { isInTrial } from '../../subscriptions/change-trial.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { storedChange } from './cancel-or-change-plan.ts';
import { replaceCardBy } from './change-card.ts';
import type { UpdateBody } from './change-schema.ts';
import { payByPix } from './pay-by-pix.ts';
import { notActive, requireActiveSubscription, requireSubscription } from './queries.ts';
import { reachSubscription } from './reach-subscription.ts';
import { wantedUpdate } from './wanted-change.ts';

const LONGEST_TRIAL_MS = 2 * 366 * 24 * 60 * 60 * 1_000;

/**
 * Changes one thing of an active subscription: what pays it, its quantity and add-ons, the end of its trial, or its metadata.
 * @throws ApiError 404 if it is not active, 422 if the change is not possible, 503 if the provider or Temporal does not answer.
 */
export async function updateSubscription(request: ApiRequest<unknown, UpdateBody>): Promise<Subscription> {
  const { em, key, body } = request;
  const subscription = await requireActiveSubscription(em, key, body.id);
  if (body.card !== undefined) return replaceCardBy(request, subscription, body.card.token);
  if (body.method !== undefined && METHOD_TRAITS[body.method].hasCode) return payByPix(request, subscription);
  if (body.metadata !== undefined) return replaceMetadata(request, subscription, body.metadata);
  if ((body.quantity ?? body.addOns) !== undefined) {
    const details = { fields: fieldsOf(body), startsNow: body.when === 'now' };
    await storedChange(request, subscription, details, (found) => wantedUpdate(request, found, body));
    return requireSubscription(em, key, body.id);
  }
  return moveTrialEnd(request, subscription, body.trialEnd ?? 'now');
}

/** What a request changes, for the audit log. */
function fieldsOf({ quantity, addOns }: UpdateBody): readonly string[] {
  return Object.entries({ quantity, addOns }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** One statement on its own columns, so it needs no turn among the changes of the workflow. */
function replaceMetadata(
  request: ApiRequest,
  { id, metadata: before }: Subscription,
  metadata: Record<string, unknown>,
): Promise<Subscription> {
  const active = { id, status: 'ACTIVE' as const };
  return request.transaction(async (tx) => {
    const count = await tx.nativeUpdate(SubscriptionEntity, active, { metadata, updatedAt: request.now });
    if (count === 0) throw notActive();
    const changed = await requireSubscription(tx, request.key, id);
    if (!isDeepStrictEqual(metadata, before)) await request.recordAction(tx, id, { fields: ['metadata'] });
    return changed;
  });
}

async function moveTrialEnd(
  request: ApiRequest,
  subscription: Subscription,
  trialEnd: Date | 'now',
): Promise<Subscription> {
  const { em, key, deps, now, requestId } = request;
  const { id, trialDays, cycleNumber } = subscription;
  // A retry, after its first response was lost.
  if (trialEnd === 'now' && trialDays !== null && cycleNumber > 0) return subscription;
  if (!isInTrial(subscription)) throw notInTrial();
  if (trialEnd !== 'now' && (trialEnd <= now || trialEnd.getTime() > now.getTime() + LONGEST_TRIAL_MS))
    throw brokenRule('TRIAL_END_OUT_OF_RANGE', 'trialEnd', 'must be in the future, at most two years ahead');
  const endsAtMs = trialEnd === 'now' ? null : trialEnd.getTime();
  await request.expectLine(id, { fields: ['trialEnd'] });
  const status = await reachSubscription(request, () =>
    deps.subscriptionUpdates.changeTrial(subscription, { endsAtMs }, requestId),
  );
  if (status !== 'ACTIVE') throw notActive();
  const changed = await requireSubscription(em, key, id);
  // The trial has ended, or was paused, before this request had its turn.
  if (endsAtMs !== null && changed.trialEndsAt?.getTime() !== endsAtMs) throw notInTrial();
  if (endsAtMs !== null && subscription.trialEndsAt?.getTime() === endsAtMs) request.noteUnchanged();
  return changed;
}

function notInTrial() {
  return brokenRule(
    'NOT_IN_TRIAL',
    'trialEnd',
    'is only for a subscription that is in its trial and not paused',
  );
}
