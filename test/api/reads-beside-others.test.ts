import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
  it('lets a store that is alone read without a pause', () => {
    busy.note({ storeId: STORE, devMode: true });
    expect(beside.restMs(STORE, 50)).toBe(0);
  });

  it('gives a store a quarter of the time while another one is busy', () => {
    busy.note({ storeId: OTHER, devMode: false });
    expect(beside.restMs(STORE, 50)).toBe(150);
    // A read that hung for a minute.
    expect(beside.restMs(STORE, 60_000)).toBe(2_000);
    // It sends a request now and then.
    nowMs = 59_999;
    expect(beside.restMs(STORE, 50)).toBe(150);
    nowMs = 60_000;
    expect(beside.restMs(STORE, 50)).toBe(0);
  });

  it('gives way to another store that is only read of', () => {
    busy.noteRead({ storeId: STORE, devMode: false });
    expect(beside.areBeside(STORE)).toBe(false);
    busy.noteRead({ storeId: OTHER, devMode: true });
    expect(beside.areBeside(STORE)).toBe(true);
    // Starts of workflows do not.
    expect(busy.othersThan({ storeId: STORE, devMode: true })).toBe(false);
  });
});
