import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { reachTemporal } from '../../src/api/frame/reach-temporal.ts';
import type { ApiRequest } from '../../src/api/frame/request.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

let answer: (text: string) => void;
let isProgressing: boolean;

/** A request whose workflow answers when the test says so. @returns what became of it. */
function ask({ endsWhenAborted = true } = {}): { outcome: string } {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  answer = resolve;
  const temporal = {
    withDeadline: (untilMs: number, call: () => unknown) => {
      setTimeout(() => reject(new WorkflowUpdateRPCTimeoutOrCancelledError('late')), untilMs - Date.now());
      return call();
    },
    withAbortSignal: (signal: AbortSignal, call: () => unknown) => {
      if (endsWhenAborted)
        signal.onabort = () => reject(new WorkflowUpdateRPCTimeoutOrCancelledError('aborted'));
      return call();
    },
  };
  const paymentsUnderWay = { isProgressing: () => isProgressing };
  const request = { isInTransaction: false, key: {}, deps: { temporal, paymentsUnderWay } };
  const asked = { outcome: 'waiting' };
  void reachTemporal(request as unknown as ApiRequest, () => promise).then(
    (text) => {
      asked.outcome = text;
    },
    ({ status }) => {
      asked.outcome = String(status);
    },
  );
  return asked;
}

it('answers 503 after 4.5 seconds if no payment is decided meanwhile', async () => {
  isProgressing = false;
  const asked = ask();
  await jest.advanceTimersByTimeAsync(4_400);
  expect(asked.outcome).toBe('waiting');
  await jest.advanceTimersByTimeAsync(200);
  expect(asked.outcome).toBe('503');
});

it('answers 503 as soon if its call waits for a server that is away', async () => {
  isProgressing = false;
  const asked = ask({ endsWhenAborted: false });
  await jest.advanceTimersByTimeAsync(4_700);
  expect(asked.outcome).toBe('503');
});

it('waits on while other payments of the environment are decided', async () => {
  isProgressing = true;
  const asked = ask();
  await jest.advanceTimersByTimeAsync(12_000);
  expect(asked.outcome).toBe('waiting');
  answer('paid');
  await jest.advanceTimersByTimeAsync(0);
  expect(asked.outcome).toBe('paid');
});

it('answers 503 soon after the last payment was decided, or after twenty seconds', async () => {
  isProgressing = true;
  const [first, second] = [ask(), ask()];
  await jest.advanceTimersByTimeAsync(6_000);
  isProgressing = false;
  await jest.advanceTimersByTimeAsync(300);
  expect([first.outcome, second.outcome]).toEqual(['503', '503']);
  isProgressing = true;
  const third = ask();
  await jest.advanceTimersByTimeAsync(19_900);
  expect(third.outcome).toBe('waiting');
  await jest.advanceTimersByTimeAsync(200);
  expect(third.outcome).toBe('503');
});
