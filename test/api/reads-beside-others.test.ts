import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FairSlots } from '../../src/api/limits/fair-slots.ts';
import { ReadsBesideOthers } from '../../src/api/limits/reads-beside-others.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';

const STORE = 'store_1' as StoreId;
const OTHER = 'store_2' as StoreId;

let nowMs: number;
let busy: BusyEnvironments;
let beside: ReadsBesideOthers;
beforeEach(() => {
  jest.useFakeTimers();
  nowMs = 0;
  busy = new BusyEnvironments(() => nowMs);
  beside = new ReadsBesideOthers(busy);
});
afterEach(() => void jest.useRealTimers());

describe('ReadsBesideOthers', () => {
  it('lets a store that is alone read four lists at once, without a pause', () => {
    busy.note({ storeId: STORE, devMode: true });
    expect(beside.atOnce(STORE)).toBe(4);
    expect(beside.restMs(STORE, 50)).toBe(0);
  });

  it('gives a store a quarter of the time while another one is busy', () => {
    busy.note({ storeId: OTHER, devMode: false });
    expect(beside.atOnce(STORE)).toBe(1);
    expect(beside.restMs(STORE, 50)).toBe(150);
    // A read that hung for a minute.
    expect(beside.restMs(STORE, 60_000)).toBe(2_000);
    nowMs = 5_000;
    expect(beside.atOnce(STORE)).toBe(4);
  });
});

it('keeps a slot for the pause after a list, though the list is answered before', async () => {
  busy.note({ storeId: OTHER, devMode: true });
  const lists = new FairSlots<StoreId>({
    count: Number.POSITIVE_INFINITY,
    perOwner: (storeId) => beside.atOnce(storeId),
    waitMs: null,
    restMs: (storeId, tookMs) => beside.restMs(storeId, tookMs),
  });
  const answered: string[] = [];
  const read = (name: string) =>
    lists
      .run(STORE, () => new Promise<void>((resolve) => setTimeout(resolve, 10)))
      .then(() => answered.push(name));
  void read('first');
  void read('second');
  await jest.advanceTimersByTimeAsync(10);
  expect(answered).toEqual(['first']);
  await jest.advanceTimersByTimeAsync(39);
  expect(answered).toEqual(['first']);
  await jest.advanceTimersByTimeAsync(1);
  expect(answered).toEqual(['first', 'second']);
});
