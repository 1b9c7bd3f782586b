import type { CheckoutItem } from './checkout.ts';
import type { CheckoutId, ProductId } from './ids.ts';

/** How the usage is charged that no cycle of a subscription has charged before it ended. */
export interface FinalUsageCharge {
  readonly checkoutId: CheckoutId;
  readonly amountCents: number;
}

/** What was used of a product, at the prices it had when it was recorded. */
export interface UsageOfProduct {
  readonly productId: ProductId;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly units: number;
  readonly amountCents: number;
}

/**
 * The lines of a checkout for usage, whose sum is the usage less the credit. A line shows the units only if each cost the same
 * and no credit pays a part of it.
 */
export function usageItems(used: readonly UsageOfProduct[], creditCents: number): CheckoutItem[] {
  let leftCents = creditCents;
  const items: CheckoutItem[] = [];
  for (const { productId, name, imageUrl, units, amountCents } of used) {
    const paidByCreditCents = Math.min(leftCents, amountCents);
    leftCents -= paidByCreditCents;
    const dueCents = amountCents - paidByCreditCents;
    const isEven = paidByCreditCents === 0 && units > 0 && dueCents % units === 0;
    const price = isEven
      ? { quantity: units, unitPriceCents: dueCents / units }
      : { quantity: 1, unitPriceCents: dueCents };
    if (dueCents > 0) items.push({ productId, name, imageUrl, ...price });
  }
  return items;
}
