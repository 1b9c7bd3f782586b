import { describe, expect, it } from '@jest/globals';
import { type CycleState, countCycles } from '../../src/domain/next-cycles.ts';

/** A subscription whose first cycle was paid at that instant. */
function paidAt(instant: string, cycle: CycleState['cycle']): CycleState {
  const anchorAt = new Date(instant);
  const lengthMs =
    { WEEKLY: 7, MONTHLY: 31, QUARTERLY: 90, SEMIANNUALLY: 181, ANNUALLY: 365 }[cycle] * 86_400_000;
  return {
    cycle,
    anchorAt,
    anchorNumber: 1,
    cycleNumber: 1,
    usageEndsAt: null,
    plan: {},
    cancelAt: null,
    cycleEndsAt: new Date(anchorAt.getTime() + lengthMs),
  };
}

const january = '2027-01-01T12:00:00.000Z';
const years = (count: number) => new Date(`${2027 + count}-01-01T12:00:00.000Z`);

describe('cycles that open by an instant', () => {
  it.each([
    ['WEEKLY', 52],
    ['MONTHLY', 12],
    ['ANNUALLY', 1],
  ] as const)('counts the cycles of a %s plan: %d in a year', (cycle, count) => {
    expect(countCycles([paidAt(january, cycle)], years(1), 1_000)).toEqual({ count, lastFit: null });
  });

  it('counts the cycles of all subscriptions together', () => {
    const some = [paidAt(january, 'MONTHLY'), paidAt(january, 'WEEKLY'), paidAt(january, 'MONTHLY')];
    expect(countCycles(some, years(1), 1_000).count).toBe(12 + 52 + 12);
  });

  it('counts cycles of usage too, and none from the end of a cancelled period on', () => {
    const yearly = {
      ...paidAt(january, 'ANNUALLY'),
      plan: { usageCycle: 'MONTHLY' as const },
      usageEndsAt: new Date('2027-02-01T12:00:00.000Z'),
    };
    expect(countCycles([yearly], years(2), 1_000).count).toBe(24);
    expect(countCycles([{ ...yearly, cancelAt: yearly.cycleEndsAt }], years(2), 1_000).count).toBe(11);
  });

  it('counts no cycle before the next one is due', () => {
    const target = new Date('2027-01-31T12:00:00.000Z');
    expect(countCycles([paidAt(january, 'MONTHLY')], target, 10)).toEqual({ count: 0, lastFit: null });
  });

  it('stops at the limit and returns the last instant within it', () => {
    const two = [paidAt(january, 'MONTHLY'), paidAt('2027-01-01T12:00:01.000Z', 'MONTHLY')];
    expect(countCycles(two, years(5), 5)).toEqual({
      count: 5,
      lastFit: new Date('2027-04-01T12:00:00.999Z'),
    });
  });

  it('counts exactly the limit up to the last fitting instant', () => {
    const some = Array.from({ length: 30 }, (_, index) =>
      paidAt(
        new Date(Date.parse(january) + index * 3_600_000).toISOString(),
        index % 2 === 0 ? 'WEEKLY' : 'MONTHLY',
      ),
    );
    const { lastFit } = countCycles(some, years(5), 500);
    expect(lastFit).not.toBeNull();
    expect(countCycles(some, lastFit ?? years(0), 500)).toEqual({ count: 500, lastFit: null });
  });
});
