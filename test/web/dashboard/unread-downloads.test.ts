import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { inPieces } from '../../../src/web/dashboard/exports/in-pieces.ts';

const PART = 'ação;'.repeat(20_000);

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

async function* twoParts() {
  yield PART;
  yield PART;
}

/** A download, of which a piece is taken at a time. */
function download() {
  const stream = inPieces(twoParts());
  const failures: unknown[] = [];
  stream.on('error', (error) => failures.push(error));
  const take = async (): Promise<string | null> => {
    const piece = stream.read() as string | null;
    await nextTurn();
    return piece;
  };
  return { stream, failures, take };
}

it('sends all parts to a browser that takes a piece every 29 seconds', async () => {
  const { failures, take, stream } = download();
  let text = '';
  while (!stream.readableEnded) {
    text += (await take()) ?? '';
    await jest.advanceTimersByTimeAsync(29_000);
  }
  expect([text === PART + PART, failures]).toEqual([true, []]);
});

it('ends a download of which nothing is taken for 30 seconds', async () => {
  const { failures, take } = download();
  await take();
  await take();
  await jest.advanceTimersByTimeAsync(29_000);
  expect(failures).toEqual([]);
  await jest.advanceTimersByTimeAsync(2_000);
  await nextTurn();
  expect(failures).toMatchObject([{ message: 'nobody has read the download for 30 seconds' }]);
});

it('leaves no timer behind a download that has ended', async () => {
  const started = jest.spyOn(globalThis, 'setTimeout');
  const stopped = jest.spyOn(globalThis, 'clearTimeout');
  const { stream, take } = download();
  await take();
  stream.destroy();
  await jest.advanceTimersByTimeAsync(0);
  await nextTurn();
  await jest.advanceTimersByTimeAsync(0);
  const watches = started.mock.results.filter((_, call) => started.mock.calls[call]?.[1] === 30_000);
  expect(watches).not.toEqual([]);
  for (const { value } of watches) expect(stopped).toHaveBeenCalledWith(value as NodeJS.Timeout);
});
