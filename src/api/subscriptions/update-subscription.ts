import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { planOfNextCycle } from '../../subscriptions/change-plan.ts';
import { isInTrial } from '../../subscriptions/change-trial.ts';
import { totalTooLarge } from '../checkouts/create-checkout.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { findUpdate, notNow, planUpdateIdOf, prorationOf } from './cancel-or-change-plan.ts';
import { replaceCardBy } from './change-card.ts';
import { payByPix } from './pay-by-pix.ts';
import { notActive, requireActiveSubscription, requireSubscription } from './queries.ts';
import { reachSubscription } from './reach-subscription.ts';
import type { UpdateBody } from './schema.ts';

const LONGEST_TRIAL_MS = 2 * 366 * 24 * 60 * 60 * 1_000;

/**
 * Changes one thing of an active subscription: what pays it, its quantity, the end of its trial, or its metadata.
 * @throws ApiError 404 if it is not active, 422 if the change is not possible, 503 if the provider or Temporal does not answer.
 */
export async function updateSubscription(request: ApiRequest<unknown, UpdateBody>): Promise<Subscription> {
  const { em, key, body } = request;
  const subscription = await requireActiveSubscription(em, key, body.id);
  if (body.card !== undefined) return replaceCardBy(request, subscription, body.card.token);
  if (body.method === 'PIX') return payByPix(request, subscription);
  if (body.metadata !== undefined) return replaceMetadata(request, subscription, body.metadata);
  if (body.quantity !== undefined)
    return changeQuantity(request, subscription, { ...body, quantity: body.quantity });
  return moveTrialEnd(request, subscription, body.trialEnd ?? 'now');
}

/** One statement on its own columns, so it needs no turn among the changes of the workflow. */
async function replaceMetadata(
  { em, key, now }: ApiRequest,
  { id }: Subscription,
  metadata: Record<string, unknown>,
): Promise<Subscription> {
  const active = { id, status: 'ACTIVE' as const };
  const count = await em.nativeUpdate(SubscriptionEntity, active, { metadata, updatedAt: now });
  if (count === 0) throw notActive();
  return requireSubscription(em, key, id);
}

type WantedQuantity = Pick<UpdateBody, 'when' | 'proration'> & { readonly quantity: number };

/** For the price per unit that the payer has accepted: the product may cost more by now. */
async function changeQuantity(
  request: ApiRequest,
  subscription: Subscription,
  wanted: WantedQuantity,
): Promise<Subscription> {
  const { em, key, deps, requestId, idempotencyKey } = request;
  const { id } = subscription;
  const planUpdateId = await planUpdateIdOf(request, subscription);
  // A retry of a change that has started: the subscription may not allow another one now.
  const before = idempotencyKey === null ? null : await findUpdate(em, planUpdateId);
  if (before?.starts === 'NOW') return requireSubscription(em, key, id);
  const { plan, proration } = await planWithQuantity(em, subscription, wanted);
  const { productId, quantity } = plan;
  const change = {
    planUpdateId,
    productId,
    quantity,
    keepsPrice: true,
    ...(proration && { proration }),
  } as const;
  const status = await reachSubscription(request, () =>
    deps.subscriptionUpdates.changePlan(subscription, change, requestId),
  );
  if (status !== 'ACTIVE') throw notActive();
  if ((await findUpdate(em, planUpdateId)) === null) throw notNow();
  return requireSubscription(em, key, id);
}

/**
 * The plan with another quantity, and how that is charged: the current plan if it starts now, and that of the next cycle otherwise.
 * @throws ApiError 422 if it is too expensive, or cannot start now.
 */
export async function planWithQuantity(
  em: Em,
  subscription: Subscription,
  { quantity, ...start }: WantedQuantity,
) {
  const proration = prorationOf(subscription, start);
  const { plan, cycle } = proration === null ? await planOfNextCycle(em, subscription) : subscription;
  const amountCents = plan.unitPriceCents * quantity;
  if (amountCents > MAX_AMOUNT_CENTS) throw totalTooLarge('quantity');
  return { plan: { ...plan, quantity }, amountCents, cycle, proration };
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
  const status = await reachSubscription(request, () =>
    deps.subscriptionUpdates.changeTrial(subscription, { endsAtMs }, requestId),
  );
  if (status !== 'ACTIVE') throw notActive();
  const changed = await requireSubscription(em, key, id);
  // The trial has ended, or was paused, before this request had its turn.
  if (endsAtMs !== null && changed.trialEndsAt?.getTime() !== endsAtMs) throw notInTrial();
  return changed;
}

function notInTrial() {
  return brokenRule(
    'NOT_IN_TRIAL',
    'trialEnd',
    'is only for a subscription that is in its trial and not paused',
  );
}
