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
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** A download of which so many bytes arrive each minute, and a reader that takes everything. */
function download() {
  const stream = leastRate(() => 512 * 1024);
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
  const stream = leastRate(() => 512 * 1024);
  const failures: unknown[] = [];
  stream.on('error', (error) => failures.push(error));
  stream.write(Buffer.alloc(64 * 1024));
  await jest.advanceTimersByTimeAsync(MINUTE_MS);
  await nextTurn();
  expect(failures).toMatchObject([{ code: 'TOO_SLOW' }]);
});

/** Ticks are faked too. */
async function settled(): Promise<void> {
  await nextTurn();
  await jest.advanceTimersByTimeAsync(1);
  await nextTurn();
}

it('watches a download no longer that has ended', async () => {
  const started = jest.spyOn(globalThis, 'setInterval');
  const stopped = jest.spyOn(globalThis, 'clearInterval');
  const { stream, failures } = download();
  const watch = started.mock.results[0]?.value as NodeJS.Timeout;
  await settled();
  expect(stopped).not.toHaveBeenCalledWith(watch);
  stream.end();
  await settled();
  expect(stopped).toHaveBeenCalledWith(watch);
  await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(failures).toEqual([]);
});
