import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';
import { PacedStarts, StartPostponed } from '../../src/temporal/paced-starts.ts';
import { StartLimiter } from '../../src/temporal/start-limiter.ts';

const FLOOD = { storeId: 'store_flood' as StoreId, devMode: true };
const OTHER = { storeId: 'store_other' as StoreId, devMode: true };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const takes = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('busy environments', () => {
  it('counts other environments as busy for five seconds after their last work', async () => {
    const busy = new BusyEnvironments();
    busy.note(FLOOD);
    expect([busy.othersThan(FLOOD), busy.othersThan(OTHER)]).toEqual([false, true]);
    expect(busy.othersThan({ ...FLOOD, devMode: false })).toBe(true);
    await pass(5_001);
    expect(busy.othersThan(OTHER)).toBe(false);
  });

  it('finds another busy environment, however often the own one works', async () => {
    const busy = new BusyEnvironments();
    busy.note(OTHER);
    busy.note('production');
    await pass(4_000);
    for (let time = 0; time < 10; time += 1) busy.note(FLOOD);
    expect([busy.othersThan(FLOOD), busy.othersThan({ ...FLOOD, devMode: false })]).toEqual([true, true]);
    await pass(1_001);
    expect([busy.othersThan(FLOOD), busy.othersThan(OTHER)]).toEqual([false, true]);
  });

  it('counts unnamed production work as busy for dev environments only', () => {
    const busy = new BusyEnvironments();
    busy.note('production');
    expect(busy.othersThan(FLOOD)).toBe(true);
    expect(busy.othersThan({ ...FLOOD, devMode: false })).toBe(false);
  });
});

describe('the share of an environment', () => {
  it('grants each environment ten charges a second', async () => {
    const limiter = new StartLimiter(new BusyEnvironments());
    const taken = (environment: typeof FLOOD) =>
      Array.from({ length: 50 }, () => limiter.turnOf({ ...environment, table: 'charges' })).filter(
        (turn) => turn === 'share',
      ).length;
    expect([taken(FLOOD), taken(OTHER)]).toEqual([10, 10]);
    await pass(500);
    expect(taken(FLOOD)).toBe(5);
    await pass(60_000);
    expect(taken(FLOOD)).toBe(10);
  });
});

describe('a delivery whose endpoint is crowded', () => {
  it.each([[[]], [[OTHER]]])('starts in the paced slots beside %j', (others) => {
    const busy = new BusyEnvironments();
    for (const other of others) busy.note(other);
    const turn = new StartLimiter(busy).turnOf({ ...FLOOD, table: 'deliveries', givesWay: true });
    expect(turn).toBe('paced');
  });
});

describe('starts that exceed the share', () => {
  it('pauses three times the duration of a start while others are busy', async () => {
    const paced = new PacedStarts(() => true, 1);
    const began: number[] = [];
    const startMs = performance.now();
    const start = async () => {
      began.push(performance.now() - startMs);
      await takes(10)();
    };
    const all = Promise.all([1, 2, 3].map(() => paced.run(FLOOD, start)));
    await pass(1_000);
    await all;
    const step = 10 * (1 + 3);
    expect(began.map(Math.round)).toEqual([0, step, 2 * step]);
  });

  it('starts one after another without a pause once no one else is busy', async () => {
    const paced = new PacedStarts(() => false, 1);
    const all = Promise.all(Array.from({ length: 10 }, () => paced.run(FLOOD, takes(10))));
    await pass(130);
    await expect(all).resolves.toHaveLength(10);
  });

  it('alternates between the starts of different environments', async () => {
    const paced = new PacedStarts(() => true, 1);
    const order: string[] = [];
    const start = (environment: typeof FLOOD) =>
      paced.run(environment, async () => void order.push(environment.storeId));
    const all = Promise.all([start(FLOOD), start(FLOOD), start(FLOOD), start(OTHER)]);
    await pass(100);
    await all;
    expect(order.indexOf(OTHER.storeId)).toBeLessThanOrEqual(2);
  });

  it('postpones a start after four seconds and never runs it', async () => {
    const paced = new PacedStarts(() => true, 1);
    const first = paced.run(FLOOD, takes(5_000));
    const late = jest.fn(takes(1));
    const outcome = expect(paced.run(FLOOD, late)).rejects.toBeInstanceOf(StartPostponed);
    await pass(4_001);
    await outcome;
    await pass(20_000);
    await first;
    expect(late).not.toHaveBeenCalled();
  });

  it('postpones a start immediately when 500 of its environment wait', async () => {
    const paced = new PacedStarts(() => true, 1);
    const begun = Array.from({ length: 501 }, () => paced.run(FLOOD, takes(5_000)).catch(() => null));
    await expect(paced.run(FLOOD, takes(1))).rejects.toBeInstanceOf(StartPostponed);
    const other = paced.run(OTHER, async () => 'begun', 60_000);
    await pass(10_000);
    await expect(other).resolves.toBe('begun');
    await paced.close();
    await Promise.all(begun);
  });
});

describe('the limiter', () => {
  const turnsOf = (limiter: StartLimiter, table: 'charges' | 'deliveries' | 'payouts') =>
    Array.from({ length: 100 }, () => limiter.turnOf({ ...FLOOD, table }));

  it('paces no start while no other environment is busy', () => {
    const busy = new BusyEnvironments();
    busy.note(FLOOD);
    const turns = turnsOf(new StartLimiter(busy), 'charges');
    expect(turns.filter((turn) => turn === 'alone')).toHaveLength(90);
    expect(turns).not.toContain('paced');
  });

  it('paces charges beyond the share while others are busy, and nothing else', () => {
    const busy = new BusyEnvironments();
    busy.note(OTHER);
    const limiter = new StartLimiter(busy);
    expect(turnsOf(limiter, 'charges').filter((turn) => turn === 'paced')).toHaveLength(90);
    expect(new Set(turnsOf(limiter, 'deliveries'))).toEqual(new Set(['share']));
    expect(new Set(turnsOf(limiter, 'payouts'))).toEqual(new Set(['share']));
  });
});
