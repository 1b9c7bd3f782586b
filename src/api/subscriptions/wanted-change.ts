import type { Subscription } from '../../database/entities/subscription.ts';
import { itemOf } from '../../domain/checkout.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import type { Proration } from '../../domain/proration.ts';
import { canChangeNow } from '../../subscriptions/change-plan-now.ts';
import {
  keptAddOns,
  type PlanTerms,
  type PlanWish,
  planBefore,
  planChangedTo,
} from '../../subscriptions/changed-plan.ts';
import type { NewPlan } from '../../subscriptions/next-opening.ts';
import { soldAddOns } from '../checkouts/add-ons.ts';
import { totalTooLarge } from '../checkouts/create-checkout.ts';
import { refusalIn } from '../checkouts/draft-rules.ts';
import { type Plan, soldPlan } from '../checkouts/references.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import type { ChangePlanBody, UpdateBody } from './change-schema.ts';

type Context = Pick<ApiRequest, 'em' | 'key' | 'now'>;

/** A change of plan that can be made now, as far as anyone knows. */
export interface WantedChange {
  /** As the workflow of the subscription takes it. */
  readonly wish: PlanWish;
  /** What it results in. */
  readonly plan: NewPlan;
  /** How it is charged; null if it waits for the next cycle. */
  readonly proration: Proration | null;
}

/**
 * A change to another plan.
 * @throws ApiError 422 that names every product that is refused, the total if it is too large, or what prevents the change now.
 */
export async function wantedPlan(
  context: Context,
  found: Subscription,
  body: Omit<ChangePlanBody, 'id'>,
): Promise<WantedChange> {
  const { em, key } = context;
  const { productId, quantity } = body;
  const product = await soldPlan(em, key, productId, 'productId').catch(async (error) => {
    const { wrong } = await soldAddOns(em, key, body.addOns ?? [], null);
    throw together([...refusalIn(error), ...wrong]);
  });
  const { before, proration } = await startOf(context, found, body);
  if (body.addOns === undefined) requireFitting(before, product);
  if (proration === 'DIFFERENCE' && product.cycle !== found.cycle && found.cycleNumber > 0) {
    throw brokenRule(
      'PRORATION_NEEDS_SAME_CYCLE',
      'proration',
      'must be full or none, because the product has another cycle than the current plan',
    );
  }
  const { id, cycle } = product;
  const addOns = await addOnsIn(context, body, { before, productId: id, cycle });
  const chosen = { plan: itemOf(product, quantity), cycle };
  const wish = { productId: id, quantity, ...addOns };
  return changeOf(wish, await planChangedTo(em, before, chosen, wish), proration);
}

/** The part of an update that changes the plan. */
export type PlanPart = Pick<UpdateBody, 'quantity' | 'addOns' | 'when' | 'proration'>;

/**
 * Another quantity of the plan, other add-ons, or both, for the price per unit that the payer has accepted: the product may cost more by now.
 * It changes the current plan if it starts now, and that of the next cycle otherwise.
 * @throws ApiError 422, as {@link wantedPlan} does.
 */
export async function wantedUpdate(
  context: Context,
  found: Subscription,
  body: PlanPart,
): Promise<WantedChange> {
  const { before, proration } = await startOf(context, found, body);
  const { productId } = before.plan;
  const { quantity } = body;
  const addOns = await addOnsIn(context, body, { before, productId, cycle: before.cycle });
  const wish = {
    productId,
    keepsPrice: true,
    ...(quantity !== undefined && { quantity }),
    ...addOns,
  } as const;
  return changeOf(wish, await planChangedTo(context.em, before, before, wish), proration);
}

/** What a change starts from. @throws ApiError 422 if it cannot start now. */
async function startOf(
  { em, now }: Context,
  found: Subscription,
  { when, proration: wanted = 'difference' }: Pick<PlanPart, 'when' | 'proration'>,
): Promise<{ readonly before: PlanTerms; readonly proration: Proration | null }> {
  if (when === 'now' && !canChangeNow(found)) throw notNow();
  const proration = when === 'now' ? (wanted.toUpperCase() as Proration) : null;
  // Once the cycle is over, the change waits for the next one.
  const startsNow = proration !== null && found.cycleEndsAt > now;
  return { before: await planBefore(em, found, { startsNow }), proration };
}

/** The add-ons that a request names. @throws ApiError 422 that names each one that is refused. */
async function addOnsIn(
  { em, key }: Context,
  { addOns: named }: Pick<PlanPart, 'addOns'>,
  {
    before,
    ...plan
  }: Pick<PlanTerms, 'cycle'> & Pick<PlanWish, 'productId'> & { readonly before: PlanTerms },
): Promise<Pick<PlanWish, 'addOns'>> {
  if (named === undefined) return {};
  const kept = [...keptAddOns(before, plan.cycle).keys()];
  const { addOns, wrong } = await soldAddOns(em, key, named, { ...plan, kept });
  if (wrong.length > 0) throw together(wrong);
  return { addOns: addOns.map(({ productId, quantity }) => ({ productId, quantity })) };
}

/** @throws ApiError 422 if the add-ons that stay do not fit the product. */
function requireFitting({ plan, cycle }: PlanTerms, product: Plan): void {
  const { addOns = [] } = plan;
  if (addOns.length === 0) return;
  if (product.cycle !== cycle)
    throw brokenRule(
      'ADD_ONS_OF_OTHER_CYCLE',
      'addOns',
      `is required, because the add-ons have the cycle ${cycle} and the product has ${product.cycle}: name those with ${product.cycle}, or [] for none`,
    );
  if (addOns.some(({ productId }) => productId === product.id))
    throw brokenRule(
      'ADD_ON_IS_PLAN',
      'addOns',
      'is required, because the product is an add-on now: name the others, or [] for none',
    );
}

function changeOf(wish: PlanWish, plan: NewPlan | null, proration: Proration | null): WantedChange {
  // A product was deleted since it was read.
  if (plan === null) throw notNow();
  if (plan.amountCents > MAX_AMOUNT_CENTS)
    throw totalTooLarge(wish.addOns === undefined ? 'quantity' : 'addOns');
  return { wish, plan, proration };
}

/** The refusal of a change that cannot start now. */
export function notNow(): ApiError {
  return brokenRule(
    'CHANGE_NOT_POSSIBLE_NOW',
    'when',
    'must be next_cycle while a cycle is unpaid, the subscription is paused, or its cancellation is scheduled',
  );
}
