import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cyclePeriod, PRODUCT_CYCLES } from '../../src/domain/cycle.ts';
import { dividesCycle, USAGE_CYCLES, type UsageCycle, usageEndsAtOf } from '../../src/domain/usage-cycle.ts';

/** All ends of usage within the `index`-th period of a plan. */
function endsWithin(
  anchorAt: Date,
  usageCycle: UsageCycle,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
) {
  const ends: Date[] = [];
  for (let after = startsAt; ; ) {
    const end = usageEndsAtOf({ anchorAt, plan: { usageCycle }, cycleEndsAt: endsAt }, after);
    if (end === null) return ends;
    ends.push(end);
    after = end;
  }
}

describe('periods of usage', () => {
  it('falls on the day of the anchor in months that have it', () => {
    const anchorAt = new Date('2027-01-31T12:00:00.000Z');
    const ends = endsWithin(anchorAt, 'MONTHLY', cyclePeriod(anchorAt, 'SEMIANNUALLY', 0));
    expect(ends.map((end) => end.toISOString().slice(0, 10))).toEqual([
      ...['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ]);
  });

  it('divides each period of a plan into whole ones, before and after its anchor', () => {
    const pairs = PRODUCT_CYCLES.flatMap((cycle) =>
      USAGE_CYCLES.filter((usageCycle) => dividesCycle(usageCycle, cycle)).map(
        (usageCycle) => [cycle, usageCycle] as const,
      ),
    );
    expect(pairs).toHaveLength(6);
    const months = { MONTHLY: 1, QUARTERLY: 3, SEMIANNUALLY: 6, ANNUALLY: 12 };
    const instant = fc.integer({ min: 0, max: 3_000_000_000 }).map((seconds) => new Date(seconds * 1_000));
    const property = fc.property(
      instant,
      fc.constantFrom(...pairs),
      fc.integer({ min: -8, max: 40 }),
      (anchorAt, [cycle, usageCycle], index) => {
        if (cycle === 'WEEKLY') return;
        const ratio = months[cycle] / months[usageCycle];
        const ends = endsWithin(anchorAt, usageCycle, cyclePeriod(anchorAt, cycle, index));
        expect(ends).toEqual(
          Array.from(
            { length: ratio - 1 },
            (_, nth) => cyclePeriod(anchorAt, usageCycle, index * ratio + nth).endsAt,
          ),
        );
      },
    );
    fc.assert(property);
  });
});
