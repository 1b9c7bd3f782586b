import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  type AskedStatement,
  askedStatement,
  costSoFar,
  NO_COST,
  noteResumed,
  onCostCounted,
  withCostCounted,
} from '../src/request-cost.ts';

let nowMs: number;
beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => void jest.restoreAllMocks());

const work = (ms: number) => {
  nowMs += ms;
};
const otherTurn = () => new Promise<void>((done) => void setImmediate(done));

it('counts what a request does until it waits', async () => {
  let tookMs = 0;
  await withCostCounted(async () => {
    work(3);
    await Promise.resolve();
    work(4);
    tookMs = costSoFar().mainThreadMs;
  });
  expect(tookMs).toBe(7);
});

it('counts the wait for Postgres apart from the main thread', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  let cost = NO_COST;
  const request = withCostCounted(async () => {
    work(3);
    const statement = askedStatement();
    statement?.sent();
    await answer.then(statement?.answered);
    work(5);
    cost = costSoFar();
  });
  await otherTurn();
  work(100);
  resolve();
  await request;
  expect(cost).toEqual({ mainThreadMs: 8, postgresMs: 100 });
});

it('counts the rows of a statement for the request that asked for them', async () => {
  const { promise: answer, resolve } = Promise.withResolvers<void>();
  let cost = NO_COST;
  let statement: AskedStatement | null = null;
  const request = withCostCounted(async () => {
    statement = askedStatement();
    statement?.sent();
    await answer.then(statement?.answered);
    cost = costSoFar();
  });
  await otherTurn();
  (statement as AskedStatement | null)?.resume();
  work(7);
  resolve();
  await request;
  expect(cost).toEqual({ mainThreadMs: 7, postgresMs: 0 });
});

it('counts parallel statements once, and no time in which another request is served', async () => {
  const { promise: answers, resolve } = Promise.withResolvers<void>();
  let cost = NO_COST;
  const request = withCostCounted(async () => {
    const statements = [askedStatement(), askedStatement()];
    for (const statement of statements) statement?.sent();
    await answers;
    for (const statement of statements) statement?.answered();
    cost = costSoFar();
  });
  await otherTurn();
  work(20);
  await withCostCounted(async () => work(100));
  await otherTurn();
  resolve();
  await request;
  expect(cost.postgresMs).toBe(20);
});

it('counts each request by itself when two take turns', async () => {
  const took: number[] = [];
  const request = (ms: number) =>
    withCostCounted(async () => {
      for (let turns = 0; turns < 3; turns += 1) {
        await otherTurn();
        noteResumed();
        work(ms);
      }
      took.push(costSoFar().mainThreadMs);
    });
  await Promise.all([request(1), request(20)]);
  expect(took).toEqual([3, 60]);
});

it('reports what a request has cost in all when it has ended', async () => {
  const reported: unknown[] = [];
  await withCostCounted(async () => {
    work(3);
    onCostCounted((cost) => reported.push(cost));
    work(10);
    expect(reported).toEqual([]);
  });
  expect(reported).toEqual([{ mainThreadMs: 13, postgresMs: 0 }]);
});

it('counts nothing outside of a request', () => {
  noteResumed();
  work(3);
  expect(costSoFar().mainThreadMs).toBe(0);
  expect(askedStatement()).toBeNull();
});
