import { describe, expect, it } from '@jest/globals';
import { type CycleCount, type CycleState, countCycles } from '../../src/domain/next-cycles.ts';

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

/** The count, and how often other work could run before it was there. */
function countedInSteps(...of: Parameters<typeof countCycles>): CycleCount & { pauses: number } {
  const counting = countCycles(...of);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = counting.next();
    if (done) return { ...value, pauses };
  }
}

function counted(...of: Parameters<typeof countCycles>): CycleCount {
  const { count, lastFit } = countedInSteps(...of);
  return { count, lastFit };
}

describe('cycles that open by an instant', () => {
  it.each([
    ['WEEKLY', 52],
    ['MONTHLY', 12],
    ['ANNUALLY', 1],
  ] as const)('counts the cycles of a %s plan: %d in a year', (cycle, count) => {
    expect(counted([paidAt(january, cycle)], years(1), 1_000)).toEqual({ count, lastFit: null });
  });

  it('counts the cycles of all subscriptions together', () => {
    const some = [paidAt(january, 'MONTHLY'), paidAt(january, 'WEEKLY'), paidAt(january, 'MONTHLY')];
    expect(counted(some, years(1), 1_000).count).toBe(12 + 52 + 12);
  });

  it('counts cycles of usage too, and none from the end of a cancelled period on', () => {
    const yearly = {
      ...paidAt(january, 'ANNUALLY'),
      plan: { usageCycle: 'MONTHLY' as const },
      usageEndsAt: new Date('2027-02-01T12:00:00.000Z'),
    };
    expect(counted([yearly], years(2), 1_000).count).toBe(24);
    expect(counted([{ ...yearly, cancelAt: yearly.cycleEndsAt }], years(2), 1_000).count).toBe(11);
  });

  it('counts no cycle before the next one is due', () => {
    const target = new Date('2027-01-31T12:00:00.000Z');
    expect(counted([paidAt(january, 'MONTHLY')], target, 10)).toEqual({ count: 0, lastFit: null });
  });

  it('stops at the limit and returns the last instant within it', () => {
    const two = [paidAt(january, 'MONTHLY'), paidAt('2027-01-01T12:00:01.000Z', 'MONTHLY')];
    expect(counted(two, years(5), 5)).toEqual({
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
    const { lastFit } = counted(some, years(5), 500);
    expect(lastFit).not.toBeNull();
    expect(counted(some, lastFit ?? years(0), 500)).toEqual({ count: 500, lastFit: null });
  });

  it('lets other work run while it counts thousands', () => {
    const many = Array.from({ length: 1_000 }, () => paidAt(january, 'ANNUALLY'));
    expect(countedInSteps(many, years(100), 500)).toMatchObject({ count: 500, pauses: 15 });
  });
});
