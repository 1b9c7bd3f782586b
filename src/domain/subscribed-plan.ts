import { type CheckoutItem, itemsText, totalCentsOf } from './checkout.ts';

/** The most add-ons of a subscription (contract section 6). */
export const MAX_ADD_ONS = 20;

/** A product that is charged with the plan every cycle, as it was when it was added. The plan alone says how usage is charged. */
export type AddOn = Omit<CheckoutItem, 'usageCycle'>;

/**
 * What a subscription is for: the product of its plan, as it was when it was chosen, and its add-ons. It is one stored value, because
 * a change always writes all of it (decision 29).
 */
export interface SubscribedPlan extends CheckoutItem {
  /** Each product once, never the plan's own; absent without add-ons. */
  readonly addOns?: readonly AddOn[];
}

/** The plan with these add-ons instead of those that it has. */
export function withAddOns(plan: SubscribedPlan, addOns: readonly CheckoutItem[]): SubscribedPlan {
  const { addOns: _, ...item } = plan;
  return addOns.length === 0 ? item : { ...item, addOns: addOns.map(addOnOf) };
}

function addOnOf({ usageCycle: _, ...item }: CheckoutItem): AddOn {
  return item;
}

/** The plan that a checkout sells: its first item, with the others as add-ons. */
export function planOfItems([plan, ...addOns]: readonly CheckoutItem[]): SubscribedPlan {
  if (plan === undefined) throw new Error("a subscription's checkout has an item");
  return withAddOns(plan, addOns);
}

/** The plan's own item first, then its add-ons. */
export function itemsOfPlan({ addOns = [], ...item }: SubscribedPlan): CheckoutItem[] {
  return [item, ...addOns];
}

/** The price of a whole cycle in cents, without discount and usage. */
export function planCentsOf(plan: SubscribedPlan): number {
  return totalCentsOf(itemsOfPlan(plan));
}

/** `Plano Pro, 2 × Usuário adicional`. */
export function planText(plan: SubscribedPlan): string {
  return itemsText(itemsOfPlan(plan));
}

/** One item for all of the plan at an amount that is not its price, as for a part of a period. */
export function planAsItem(plan: SubscribedPlan, amountCents: number): CheckoutItem {
  return { ...withAddOns(plan, []), name: planName(plan), quantity: 1, unitPriceCents: amountCents };
}

/** `Plano Pro + Usuário adicional`: the names without quantities, for an amount that pays for all of them. */
export function planName(plan: SubscribedPlan): string {
  return itemsOfPlan(plan)
    .map(({ name }) => name)
    .join(' + ');
}
