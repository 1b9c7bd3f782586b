import { describe, expect, it } from '@jest/globals';
import { pairsOf, playsOf } from './plays.ts';
import { allRows } from './table.ts';

const keysOf = (plays: ReturnType<typeof playsOf>) =>
  plays.map(({ row, workerState }) => `${row.title} × ${workerState}`);

describe('plays of a usual run', () => {
  const usual = playsOf(allRows(), false);
  const all = playsOf(allRows(), true);

  it('includes every row of the table', () => {
    expect(new Set(usual.map(({ row }) => row.title))).toEqual(new Set(all.map(({ row }) => row.title)));
  });

  it('covers every operation and every fault in every worker state', () => {
    expect(new Set(usual.flatMap(pairsOf))).toEqual(new Set(all.flatMap(pairsOf)));
  });

  it('repeats no play and stays below half of all plays', () => {
    expect(new Set(keysOf(usual)).size).toBe(usual.length);
    expect(usual.length).toBeLessThan(all.length / 2);
  });
});
