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

/** Takes a turn of so many milliseconds. @returns how long after its end the next one began. */
async function restAfter(turnMs: number): Promise<number> {
  const end = await turns.take();
  let beganMs = Number.NaN;
  const next = turns.take().then((endNext) => {
    beganMs = performance.now();
    endNext();
  });
  await jest.advanceTimersByTimeAsync(turnMs);
  const endedMs = performance.now();
  end();
  await jest.advanceTimersByTimeAsync(60_000);
  await next;
  return beganMs - endedMs;
}

describe('turns of clocks', () => {
  it('follow each other while nobody else has work', async () => {
    expect(await restAfter(100)).toBe(0);
  });

  it('take a quarter of the time beside runs of another store', async () => {
    turns.noteWork(bia);
    expect(await restAfter(100)).toBeCloseTo(300, -1);
  });

  it('take a quarter of the time beside production', async () => {
    turns.noteWork('production');
    expect(await restAfter(100)).toBeCloseTo(300, -1);
  });

  it('do not rest for the work of stores whose clocks take turns', async () => {
    turns.join(bia);
    turns.noteWork(ana);
    turns.noteWork(bia);
    expect(await restAfter(100)).toBe(0);
  });

  it('do not rest once the work of others is over', async () => {
    turns.noteWork(bia);
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await restAfter(100)).toBe(0);
  });

  it('come one at a time, in the order in which they were asked for', async () => {
    const order: StoreId[] = [];
    const take = async (storeId: StoreId) => {
      const end = await turns.take();
      order.push(storeId);
      return end;
    };
    const [first, second, third] = [take(ana), take(bia), take(caio)];
    (await first)();
    expect(order).toEqual([ana]);
    (await second)();
    (await third)();
    expect(order).toEqual([ana, bia, caio]);
  });

  it('end by themselves after a second, so that nothing slow holds up other clocks', async () => {
    await turns.take();
    const next = turns.take();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await next).toBeInstanceOf(Function);
  });

  it('are for ten clocks of a process, and for each once', () => {
    expect(turns.join(ana)).toBe(false);
    for (let others = 1; others < 10; others += 1)
      expect(turns.join(`store_${others}` as StoreId)).toBe(true);
    expect(turns.join(bia)).toBe(false);
    turns.leave(ana);
    expect(turns.join(bia)).toBe(true);
  });
});
