import { MAX_AMOUNT_CENTS } from './money.ts';

/** The most units of one cycle: at one cent per unit, a larger number could never be charged. */
export const MAX_UNITS = MAX_AMOUNT_CENTS;

/**
 * How the units of a product are priced within one cycle (decision 29). Included units are free and come first; the rest is priced.
 * - PER_UNIT: the product's price each.
 * - PACKAGE: the product's price for each package that was begun.
 * - GRADUATED: each unit costs what the tier costs in which it lies.
 * - VOLUME: all units cost what the tier costs that their number reaches.
 */
export const USAGE_PRICE_MODELS = ['PER_UNIT', 'GRADUATED', 'VOLUME', 'PACKAGE'] as const;
export type UsagePriceModel = (typeof USAGE_PRICE_MODELS)[number];

/** A range of units. It begins after the tier before it. */
export interface UsageTier {
  /** The last unit; null for the last tier, which has no end. */
  readonly upTo: number | null;
  readonly unitPriceCents: number;
  /** What is charged once, as soon as a unit lies in the tier. */
  readonly flatPriceCents: number;
}

interface Included {
  /** Units of each cycle that are free. */
  readonly includedUnits: number;
}

export type UsagePrice =
  | (Included & { readonly model: 'PER_UNIT' })
  | (Included & { readonly model: 'PACKAGE'; readonly packageSize: number })
  | (Included & { readonly model: 'GRADUATED' | 'VOLUME'; readonly tiers: readonly UsageTier[] });

/** A number of units, or of packages or flat prices, that cost the same. */
export interface PricedUnits {
  readonly quantity: number;
  readonly unitPriceCents: number;
}

/**
 * What so many units of one cycle cost, part by part, in the order of the tiers.
 * @param productCents the product's price: of a unit, or of a package.
 */
export function pricedUnits(price: UsagePrice, productCents: number, units: number): PricedUnits[] {
  const included = Math.min(units, price.includedUnits);
  const parts = [
    { quantity: included, unitPriceCents: 0 },
    ...partsOf(price, productCents, units - included),
  ];
  return parts.filter(({ quantity }) => quantity > 0);
}

/** What so many units of one cycle cost, in cents: the sum of {@link pricedUnits}. It may exceed the numbers of a database. */
export function usageCents(price: UsagePrice, productCents: number, units: number): bigint {
  return pricedUnits(price, productCents, units).reduce(
    (sum, { quantity, unitPriceCents }) => sum + BigInt(quantity) * BigInt(unitPriceCents),
    0n,
  );
}

function partsOf(price: UsagePrice, productCents: number, units: number): PricedUnits[] {
  if (units === 0) return [];
  if (price.model === 'PER_UNIT') return [{ quantity: units, unitPriceCents: productCents }];
  if (price.model === 'PACKAGE')
    return [{ quantity: Math.ceil(units / price.packageSize), unitPriceCents: productCents }];
  const { model, tiers } = price;
  const reached = tiers.slice(0, tierIndex(tiers, units) + 1);
  if (model === 'VOLUME') return reached.slice(-1).flatMap((tier) => partsOfTier(tier, units));
  return reached.flatMap((tier, index) => {
    const before = reached[index - 1]?.upTo ?? 0;
    return partsOfTier(tier, Math.min(units, tier.upTo ?? units) - before);
  });
}

function partsOfTier({ unitPriceCents, flatPriceCents }: UsageTier, units: number): PricedUnits[] {
  const flat = { quantity: 1, unitPriceCents: flatPriceCents };
  return [{ quantity: units, unitPriceCents }, ...(flatPriceCents > 0 ? [flat] : [])];
}

/** The tier in which a unit lies. The last one has no end, so there is one. */
function tierIndex(tiers: readonly UsageTier[], unit: number): number {
  return tiers.findIndex(({ upTo }) => upTo === null || unit <= upTo);
}
