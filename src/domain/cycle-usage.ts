import type { ProductId } from './ids.ts';
import { pricedUnits, type UsagePrice } from './usage-price.ts';

/** What was used of a product in a cycle, as it is stored. */
export interface UsageTotal {
  readonly units: number;
  readonly amountCents: number;
  /** The units and the amount that an unpaid cycle has left to this one. */
  readonly carriedUnits: number;
  readonly carriedCents: number;
  /** The product's price. */
  readonly productCents: number;
  readonly usagePrice: UsagePrice | null;
}

/** A number of units with their amount. */
export interface UsagePart {
  readonly quantity: number;
  /** Null if they did not all cost the same. */
  readonly unitPriceCents: number | null;
  readonly amountCents: number;
}

/** What was used of a product in a cycle, and what it costs. */
export interface UsageOfProduct {
  readonly productId: ProductId;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly units: number;
  readonly amountCents: number;
  /** What the amount consists of. Their sum is `amountCents`. */
  readonly parts: readonly UsagePart[];
}

/** What was used of all products, in cents. */
export function usedCents(used: readonly Pick<UsageOfProduct, 'amountCents'>[]): number {
  return used.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/**
 * What the usage of a product consists of: what an unpaid cycle has left, and the parts of each price. Records of earlier
 * prices may have cost something else: then it is one part.
 */
export function usagePartsOf(total: UsageTotal): UsagePart[] {
  const { units, amountCents, usagePrice } = total;
  const parts = usagePrice === null ? [] : pricedParts(total, usagePrice);
  const sum = parts.reduce((cents, part) => cents + part.amountCents, 0);
  return parts.length > 0 && sum === amountCents ? parts : [wholePart(units, amountCents)];
}

function pricedParts(
  { units, carriedUnits, carriedCents, productCents }: UsageTotal,
  usagePrice: UsagePrice,
): UsagePart[] {
  const carried = carriedUnits > 0 ? [wholePart(carriedUnits, carriedCents)] : [];
  const own = pricedUnits(usagePrice, productCents, Math.max(0, units - carriedUnits));
  return [...carried, ...own.map((part) => ({ ...part, amountCents: part.quantity * part.unitPriceCents }))];
}

/** Units are shown with a price only if each cost the same. */
function wholePart(units: number, amountCents: number): UsagePart {
  const isEven = units > 0 && amountCents % units === 0;
  return { quantity: units, unitPriceCents: isEven ? amountCents / units : null, amountCents };
}
