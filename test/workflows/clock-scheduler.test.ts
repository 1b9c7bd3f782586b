import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ClockScheduler } from '../../src/clock/clock-scheduler.ts';
import type { StoreId } from '../../src/domain/ids.ts';

const [ana, bia, caio] = ['store_ana', 'store_bia', 'store_caio'] as [StoreId, StoreId, StoreId];

let turns: ClockScheduler;
beforeEach(() => {
  jest.useFakeTimers();
  turns = new ClockScheduler();
  turns.join(ana);
});
afterEach(() => {
  jest.useRealTimers();
});

/** Takes a turn of `turnMs`. @returns the milliseconds between its end and the start of the next one. */
async function restAfter(turnMs: number): Promise<number> {
  const turn = await turns.take();
  let beganMs = Number.NaN;
  const next = turns.take().then((following) => {
    beganMs = performance.now();
    following.end();
  });
  await jest.advanceTimersByTimeAsync(turnMs);
  const endedMs = performance.now();
  turn.end();
  await jest.advanceTimersByTimeAsync(60_000);
  await next;
  return beganMs - endedMs;
}

describe('turns of clocks', () => {
  it('starts the next turn at once while nobody else has work', async () => {
    expect(await restAfter(100)).toBe(0);
  });

  it('leaves three quarters of the time to runs of another store', async () => {
    turns.noteWork(bia);
    expect(await restAfter(100)).toBeCloseTo(300, -1);
  });

  it('leaves three quarters of the time to production', async () => {
    turns.noteWork('production');
    expect(await restAfter(100)).toBeCloseTo(300, -1);
  });

  it('starts the next turn at once if only stores with clocks have work', async () => {
    turns.join(bia);
    turns.noteWork(ana);
    turns.noteWork(bia);
    expect(await restAfter(100)).toBe(0);
  });

  it('starts the next turn at once five seconds after the work of others', async () => {
    turns.noteWork(bia);
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await restAfter(100)).toBe(0);
  });

  it('gives one turn at a time in the order of the requests', async () => {
    const order: StoreId[] = [];
    const take = async (storeId: StoreId) => {
      const turn = await turns.take();
      order.push(storeId);
      return turn;
    };
    const [first, second, third] = [take(ana), take(bia), take(caio)];
    (await first).end();
    expect(order).toEqual([ana]);
    (await second).end();
    (await third).end();
    expect(order).toEqual([ana, bia, caio]);
  });

  it('ends a turn after a second, so that a slow one does not block other clocks', async () => {
    const slow = await turns.take();
    const next = turns.take();
    await jest.advanceTimersByTimeAsync(999);
    expect(slow.isOver).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(slow.isOver).toBe(true);
    expect((await next).isOver).toBe(false);
  });

  it('lets a clock that waits join before one that has just left', async () => {
    for (let others = 1; others < 10; others += 1) turns.join(`store_${others}` as StoreId);
    expect(turns.join(bia)).toBe(false);
    turns.leave(ana);
    expect(turns.join(ana)).toBe(false);
    expect(turns.join(bia)).toBe(true);
    turns.leave(bia);
    expect(turns.join(ana)).toBe(true);
  });

  it('waits for no clock that has not asked for ten seconds', async () => {
    for (let others = 1; others < 10; others += 1) turns.join(`store_${others}` as StoreId);
    expect(turns.join(bia)).toBe(false);
    turns.leave(ana);
    await jest.advanceTimersByTimeAsync(10_001);
    expect(turns.join(ana)).toBe(true);
  });

  it('accepts ten clocks per process and each of them once', () => {
    expect(turns.join(ana)).toBe(false);
    for (let others = 1; others < 10; others += 1)
      expect(turns.join(`store_${others}` as StoreId)).toBe(true);
    expect(turns.join(bia)).toBe(false);
    turns.leave(ana);
    expect(turns.join(bia)).toBe(true);
  });
});
