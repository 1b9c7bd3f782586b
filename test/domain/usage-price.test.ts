import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type UsageTotal, usagePartsOf } from '../../src/domain/cycle-usage.ts';
import {
  MAX_UNITS,
  pricedUnits,
  type UsagePrice,
  type UsageTier,
  usageCents,
} from '../../src/domain/usage-price.ts';

const TIERS: readonly UsageTier[] = [
  { upTo: 1_000, unitPriceCents: 10, flatPriceCents: 0 },
  { upTo: 10_000, unitPriceCents: 8, flatPriceCents: 500 },
  { upTo: null, unitPriceCents: 5, flatPriceCents: 0 },
];
const graduated = { model: 'GRADUATED', includedUnits: 0, tiers: TIERS } as const;
const volume = { model: 'VOLUME', includedUnits: 0, tiers: TIERS } as const;
const centsOf = (price: UsagePrice, units: number) => Number(usageCents(price, 200, units));

describe('the price of usage', () => {
  it.each([
    [0, 0],
    [1, 10],
    [1_000, 10_000],
    [1_001, 10_000 + 500 + 8],
    [10_000, 10_000 + 500 + 72_000],
    [10_001, 10_000 + 500 + 72_000 + 5],
  ])('charges %i units tier by tier', (units, cents) => {
    expect(centsOf(graduated, units)).toBe(cents);
  });

  it.each([
    [0, 0],
    [1_000, 10_000],
    [1_001, 1_001 * 8 + 500],
    [10_001, 10_001 * 5],
  ])('charges all %i units at the price of the tier that they reach', (units, cents) => {
    expect(centsOf(volume, units)).toBe(cents);
  });

  it.each([
    [0, 0],
    [1, 200],
    [1_000, 200],
    [1_001, 400],
  ])('charges every package that %i units have begun', (units, cents) => {
    expect(centsOf({ model: 'PACKAGE', includedUnits: 0, packageSize: 1_000 }, units)).toBe(cents);
  });

  it.each<[UsagePrice, number, number]>([
    [{ model: 'PER_UNIT', includedUnits: 100 }, 100, 0],
    [{ model: 'PER_UNIT', includedUnits: 100 }, 101, 200],
    [{ model: 'PACKAGE', includedUnits: 100, packageSize: 10 }, 101, 200],
    [{ ...graduated, includedUnits: 100 }, 1_101, 10_000 + 508],
    [{ ...volume, includedUnits: 100 }, 1_100, 10_000],
  ])('takes included units off first: %j, %i units', (price, units, cents) => {
    expect(centsOf(price, units)).toBe(cents);
  });

  it('counts the largest numbers exactly', () => {
    const price = { model: 'PER_UNIT', includedUnits: 1 } as const;
    expect(usageCents(price, MAX_UNITS, MAX_UNITS)).toBe(BigInt(MAX_UNITS) * BigInt(MAX_UNITS - 1));
  });

  const ends = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 5 });
  const cents = fc.integer({ min: 0, max: 50 });
  const anyPrice = fc
    .record({
      model: fc.constantFrom('GRADUATED' as const, 'VOLUME' as const),
      includedUnits: fc.integer({ min: 0, max: 100 }),
      ends,
      prices: fc.array(fc.tuple(cents, cents), { minLength: 6, maxLength: 6 }),
    })
    .map(({ ends: unsorted, prices, ...price }) => {
      const upTos = [...unsorted.sort((one, other) => one - other), null];
      const tiers = upTos.map((upTo, index) => {
        const [unitPriceCents = 0, flatPriceCents = 0] = prices[index] ?? [];
        return { upTo, unitPriceCents, flatPriceCents };
      });
      return { ...price, tiers };
    });

  it('prices each unit of a tier once, and never makes a graduated total smaller', () => {
    const property = fc.property(anyPrice, fc.integer({ min: 0, max: 1_000 }), (price, units) => {
      const parts = pricedUnits(price, 0, units);
      const total = Number(usageCents(price, 0, units));
      expect(total).toBe(parts.reduce((sum, part) => sum + part.quantity * part.unitPriceCents, 0));
      if (price.model === 'GRADUATED') expect(centsOf(price, units + 1)).toBeGreaterThanOrEqual(total);
    });
    fc.assert(property);
  });
});

describe('the parts of a product that was used', () => {
  const TOTAL: UsageTotal = {
    units: 1_100,
    amountCents: 10_000 + 500 + 800,
    carriedUnits: 0,
    carriedCents: 0,
    productCents: 1,
    usagePrice: graduated,
  };

  it('names each tier with its units and price', () => {
    expect(usagePartsOf(TOTAL)).toEqual([
      { quantity: 1_000, unitPriceCents: 10, amountCents: 10_000 },
      { quantity: 100, unitPriceCents: 8, amountCents: 800 },
      { quantity: 1, unitPriceCents: 500, amountCents: 500 },
    ]);
  });

  it('keeps what an unpaid cycle has left apart', () => {
    const carried = {
      units: 1_110,
      amountCents: 100 + 10_000 + 500 + 800,
      carriedUnits: 10,
      carriedCents: 100,
    };
    const [first, ...others] = usagePartsOf({ ...TOTAL, ...carried });
    expect(first).toEqual({ quantity: 10, unitPriceCents: 10, amountCents: 100 });
    expect(others).toEqual(usagePartsOf(TOTAL));
  });

  it('shows one part if the units did not cost what they cost now', () => {
    expect(usagePartsOf({ ...TOTAL, amountCents: 999 })).toEqual([
      { quantity: 1_100, unitPriceCents: null, amountCents: 999 },
    ]);
    expect(usagePartsOf({ ...TOTAL, usagePrice: null, amountCents: 2_200 })).toEqual([
      { quantity: 1_100, unitPriceCents: 2, amountCents: 2_200 },
    ]);
  });
});
