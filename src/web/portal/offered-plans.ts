import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { itemOf } from '../../domain/checkout.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { mayChangePlan } from '../../domain/portal-actions.ts';
import type { PortalSettings } from '../../domain/portal-settings.ts';
import { canChangeNow } from '../../subscriptions/change-plan-now.ts';
import { type PlanTerms, planChangedTo, planOfNextCycle } from '../../subscriptions/changed-plan.ts';
import type { Intention } from '../../subscriptions/preview-charges.ts';

/** A change of plan that a payer may make. A null `proration` waits for the next cycle. */
export type OfferedChange = Extract<Intention, { readonly kind: 'CHANGE_PLAN' }>;

/**
 * The plans that the payer of a subscription may change to now, the cheapest first: those that the store offers and still sells,
 * for the quantity and with the add-ons that the payer has, without the plan that the next cycle has anyway. Plans with another cycle
 * do not fit add-ons.
 * @param now of the store.
 */
export async function offeredChanges(
  em: Em,
  settings: PortalSettings,
  subscription: Subscription,
  now: Date,
): Promise<readonly OfferedChange[]> {
  if (!mayChangePlan(settings, subscription)) return [];
  const { quantity } = subscription.plan;
  const next = await planOfNextCycle(em, subscription);
  const products = await soldPlans(em, settings, subscription);
  const offered: OfferedChange[] = [];
  for (const product of products) {
    const { id, cycle } = product;
    if (id === next.plan.productId || cycle === null) continue;
    const chosen = { plan: itemOf(product, quantity), cycle };
    const atOnce = settings.upgradesAtOnce ? await planChangedTo(em, subscription, chosen, {}) : null;
    const startsNow = atOnce !== null && isUpgradeNow(subscription, atOnce, now);
    const plan = startsNow ? atOnce : await planChangedTo(em, next, chosen, {});
    if (plan !== null && plan.amountCents <= MAX_AMOUNT_CENTS)
      offered.push({ kind: 'CHANGE_PLAN', plan, proration: startsNow ? 'DIFFERENCE' : null });
  }
  return offered;
}

/** The plans that a store offers in the portal and still sells, the cheapest first. */
export async function soldPlans(
  em: Em,
  { offeredPlanIds }: PortalSettings,
  { storeId, devMode }: Pick<Subscription, 'storeId' | 'devMode'>,
): Promise<Product[]> {
  if (offeredPlanIds.length === 0) return [];
  const where = { storeId, devMode, archivedAt: null, deletedAt: null, cycle: { $ne: null } };
  return em.find(
    ProductEntity,
    { ...where, id: { $in: [...offeredPlanIds] } },
    { orderBy: { priceCents: 'asc', id: 'asc' }, disableIdentityMap: true },
  );
}

/** Whether the plan of a subscription can become another one: one with another cycle, or that is an add-on, does not fit its add-ons. */
export function hasOtherPlan(plans: readonly Product[], { plan, cycle }: PlanTerms): boolean {
  const { addOns = [] } = plan;
  const fits = (sold: Product) =>
    addOns.length === 0 || (sold.cycle === cycle && !addOns.some(({ productId }) => productId === sold.id));
  return plans.some((sold) => sold.id !== plan.productId && fits(sold));
}

/**
 * Whether a plan costs more for the same time, so that the payer can pay the difference and have it at once. Any other plan starts
 * with the next cycle: the current one is paid for, and nothing is paid back.
 */
function isUpgradeNow(
  subscription: Subscription,
  { amountCents, cycle }: OfferedChange['plan'],
  now: Date,
): boolean {
  const costsMore = cycle === subscription.cycle && amountCents > subscription.amountCents;
  return costsMore && canChangeNow(subscription) && subscription.cycleEndsAt > now;
}
