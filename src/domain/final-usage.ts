import type { CheckoutItem } from './checkout.ts';
import type { UsageOfProduct } from './cycle-usage.ts';
import type { CheckoutId } from './ids.ts';

/** How the usage is charged that no cycle of a subscription has charged before it ended. */
export interface FinalUsageCharge {
  readonly checkoutId: CheckoutId;
  readonly amountCents: number;
}

/**
 * The lines of a checkout for usage, whose sum is the usage less the credit. A line shows the units only if each cost the same
 * and no credit pays a part of it.
 */
export function usageItems(used: readonly UsageOfProduct[], creditCents: number): CheckoutItem[] {
  let leftCents = creditCents;
  const items: CheckoutItem[] = [];
  for (const product of used) {
    const { productId, name, imageUrl, amountCents } = product;
    const paidByCreditCents = Math.min(leftCents, amountCents);
    leftCents -= paidByCreditCents;
    const dueCents = amountCents - paidByCreditCents;
    const price = paidByCreditCents === 0 ? evenPrice(product) : null;
    if (dueCents > 0)
      items.push({ productId, name, imageUrl, ...(price ?? { quantity: 1, unitPriceCents: dueCents }) });
  }
  return items;
}

/** The units and their price; null if they did not all cost the same. */
function evenPrice({ parts }: UsageOfProduct): Pick<CheckoutItem, 'quantity' | 'unitPriceCents'> | null {
  const [part, ...others] = parts;
  if (part === undefined || part.unitPriceCents === null || others.length > 0) return null;
  return { quantity: part.quantity, unitPriceCents: part.unitPriceCents };
}
