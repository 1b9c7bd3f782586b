import { type Client, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { isTemporalAway } from '../../temporal/away.ts';
import { type ApiError, outOfReach } from './errors.ts';
import type { ApiRequest } from './request.ts';

/**
 * How long a request waits for a workflow. Workflows usually take far less, and the client gets a response
 * within five seconds.
 */
const WORKFLOW_TIMEOUT_MS = 4_500;

/** The same while the environment's other payments are decided one after the other: the machine is slow, and nothing is stuck. */
const LONGEST_MS = 20_000;

/** A call that is aborted ends within this time, unless it waits between two attempts to reach the server. */
const ABORTED_WITHIN_MS = 100;

/** How often a request that waits longer looks whether others are still decided. */
const LOOK_EVERY_MS = 250;

/**
 * Runs a request's workflow calls with a timeout, while no transaction is open.
 * @throws ApiError 503 if Temporal or every worker is unreachable.
 */
export async function reachTemporal<Result>(
  request: ApiRequest,
  call: () => Promise<Result>,
): Promise<Result> {
  if (request.isInTransaction)
    throw new Error(`POST ${request.path} waits for a workflow, and does not say so`);
  return withinTime(request.deps.temporal, LONGEST_MS, () => whileProgressing(request, call));
}

/** Ends the wait for a workflow after a few seconds, unless payments of the same environment are being decided. */
async function whileProgressing<Result>(
  { deps, key }: ApiRequest,
  call: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const { promise: unreachable, reject } = Promise.withResolvers<never>();
  const look = () => {
    if (deps.paymentsUnderWay.isProgressing(key)) {
      timer = setTimeout(look, LOOK_EVERY_MS);
      return;
    }
    ended.abort();
    timer = setTimeout(() => reject(temporalOutOfReach()), ABORTED_WITHIN_MS);
  };
  let timer = setTimeout(look, WORKFLOW_TIMEOUT_MS);
  try {
    return await Promise.race([deps.temporal.withAbortSignal(ended.signal, call), unreachable]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls workflows within this many milliseconds. @throws ApiError 503 if Temporal or every worker is
 * unreachable.
 */
export async function withinTime<Result>(
  temporal: Pick<Client, 'withDeadline'>,
  timeoutMs: number,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await temporal.withDeadline(Date.now() + timeoutMs, call);
  } catch (error) {
    if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) throw stillUnderWay();
    if (!isTemporalAway(error)) throw error;
    throw temporalOutOfReach();
  }
}

/**
 * The error if the workflow did not finish in time. Either an activity waits for the provider, or no worker
 * runs it. The API does not know which, so the message names both.
 */
export function stillUnderWay(): ApiError {
  return outOfReach(
    'Not finished in time: the payment provider or the workers are slow. Processing continues; repeat the request, with the same Idempotency-Key if you sent one, to get the result',
  );
}

/** The error of a request that needs a workflow while Temporal is unreachable. */
export function temporalOutOfReach(): ApiError {
  return outOfReach('The workflow engine cannot be reached at the moment; nothing is lost, please retry');
}
