import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { leastRate } from '../../src/web/checkout/least-rate.ts';

const MINUTE_MS = 60_000;

/** The real one: streams pass their data on in it. */
const turn = setImmediate;
const nextTurn = () => new Promise<void>((done) => void turn(done));

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A download of which so many bytes arrive each minute, and a reader that takes everything. */
function download() {
  const stream = leastRate();
  const failures: unknown[] = [];
  stream.on('error', (error) => failures.push(error));
  stream.pipe(new PassThrough()).resume();
  const minute = async (bytes: number) => {
    stream.write(Buffer.alloc(bytes));
    await nextTurn();
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    await nextTurn();
  };
  return { stream, failures, minute };
}

it('passes a download on that is fast enough in each minute', async () => {
  const { stream, failures, minute } = download();
  for (let minutes = 0; minutes < 3; minutes += 1) await minute(600 * 1024);
  expect(failures).toEqual([]);
  stream.destroy();
});

it('aborts a download of which too little passes within a minute', async () => {
  const { failures, minute } = download();
  await minute(600 * 1024);
  await minute(1);
  expect(failures).toMatchObject([{ code: 'TOO_SLOW' }]);
});

it('aborts a download whose reader takes nothing', async () => {
  const stream = leastRate();
  const failures: unknown[] = [];
  stream.on('error', (error) => failures.push(error));
  stream.write(Buffer.alloc(64 * 1024));
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  await nextTurn();
  expect(failures).toMatchObject([{ code: 'TOO_SLOW' }]);
});

it('watches a download no longer that has ended', async () => {
  const { stream, failures } = download();
  stream.end();
  await nextTurn();
  await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(failures).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});
