import { ApplicationFailure } from '@temporalio/common';
import type { WantedAddOn } from '../../workflows/subscription.contract.ts';
import { PlanUpdateEntity } from '../database/entities/plan-update.ts';
import { type Product, ProductEntity } from '../database/entities/product.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { type CheckoutItem, itemOf } from '../domain/checkout.ts';
import type { ProductCycle } from '../domain/cycle.ts';
import type { ProductId } from '../domain/ids.ts';
import { planCentsOf, type SubscribedPlan, withAddOns } from '../domain/subscribed-plan.ts';
import type { NewPlan } from './next-opening.ts';

/** A plan and its frequency. */
export interface PlanTerms {
  readonly plan: SubscribedPlan;
  readonly cycle: ProductCycle;
}

/** What a change makes of a plan. */
export interface PlanWish {
  /** The product of the plan; the plan keeps its own, at its price per unit, with `keepsPrice`. */
  readonly productId: ProductId;
  /** Whether only the quantity or the add-ons change. */
  readonly keepsPrice?: true;
  /** Of the plan; absent if it stays. */
  readonly quantity?: number;
  /** All add-ons after the change; absent if they stay. */
  readonly addOns?: readonly WantedAddOn[];
}

/** What a change starts from: the current plan if it starts now, and that of the next cycle otherwise. */
export async function planBefore(
  em: Em,
  subscription: Subscription,
  { startsNow }: { readonly startsNow: boolean },
): Promise<PlanTerms> {
  return startsNow ? subscription : planOfNextCycle(em, subscription);
}

/** The plan of the next cycle as it is: that of a pending change, or the current one. */
export async function planOfNextCycle(em: Em, { id, plan, cycle }: Subscription): Promise<PlanTerms> {
  const waiting = { subscriptionId: id, status: 'PENDING' as const };
  return (await em.findOne(PlanUpdateEntity, waiting, { disableIdentityMap: true })) ?? { plan, cycle };
}

/**
 * The plan after a change, its price and frequency. It writes nothing, so a preview shows what will be charged.
 * @returns null if an add-on does not fit the plan: it has another cycle, or it is the plan's own product.
 */
export async function changedPlan(em: Em, before: PlanTerms, wish: PlanWish): Promise<NewPlan | null> {
  const chosen = wish.keepsPrice ? before : await planSoldNow(em, wish.productId);
  return planChangedTo(em, before, chosen, wish);
}

/**
 * The same for a product that the caller has read.
 * @param chosen its plan at its price, in any quantity; those of `before` if only the quantity or the add-ons change.
 */
export async function planChangedTo(
  em: Em,
  before: PlanTerms,
  chosen: PlanTerms,
  wish: Pick<PlanWish, 'quantity' | 'addOns'>,
): Promise<NewPlan | null> {
  const { cycle } = chosen;
  const addOns = await addOnsAfter(em, before, { productId: chosen.plan.productId, cycle }, wish.addOns);
  if (addOns === null) return null;
  const plan = withAddOns({ ...chosen.plan, quantity: wish.quantity ?? chosen.plan.quantity }, addOns);
  return { plan, amountCents: planCentsOf(plan), cycle };
}

/** The product at its current price. */
async function planSoldNow(em: Em, id: ProductId): Promise<PlanTerms> {
  const product = await em.findOne(ProductEntity, { id }, { disableIdentityMap: true });
  if (product?.cycle == null) throw ApplicationFailure.nonRetryable('No product with a cycle', 'NO_PLAN');
  return { plan: itemOf(product), cycle: product.cycle };
}

/** The add-ons that a change leaves as they are, if the cycle stays: they keep their price per unit. */
export function keptAddOns(before: PlanTerms, cycle: ProductCycle): ReadonlyMap<ProductId, CheckoutItem> {
  const { addOns = [] } = before.plan;
  return new Map(before.cycle === cycle ? addOns.map((addOn) => [addOn.productId, addOn]) : []);
}

/** Kept add-ons in their new quantity, and others at the current price of their product. */
async function addOnsAfter(
  em: Em,
  before: PlanTerms,
  after: { readonly productId: ProductId; readonly cycle: ProductCycle },
  wanted: readonly WantedAddOn[] = before.plan.addOns ?? [],
): Promise<readonly CheckoutItem[] | null> {
  const kept = keptAddOns(before, after.cycle);
  const ids = wanted.map(({ productId }) => productId).filter((id) => !kept.has(id));
  const products = await productsById(em, ids);
  const addOns = wanted.flatMap(({ productId, quantity }): CheckoutItem[] => {
    if (productId === after.productId) return [];
    const addOn = kept.get(productId);
    if (addOn !== undefined) return [{ ...addOn, quantity }];
    const product = products.get(productId);
    return product?.cycle === after.cycle ? [itemOf(product, quantity)] : [];
  });
  return addOns.length === wanted.length ? addOns : null;
}

async function productsById(em: Em, ids: readonly ProductId[]): Promise<ReadonlyMap<ProductId, Product>> {
  if (ids.length === 0) return new Map();
  const products = await em.find(ProductEntity, { id: { $in: [...ids] } }, { disableIdentityMap: true });
  return new Map(products.map((product) => [product.id, product]));
}
