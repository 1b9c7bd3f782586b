import { type Client, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { isTemporalAway } from '../../temporal/away.ts';
import { type ApiError, outOfReach } from './errors.ts';
import type { ApiRequest } from './request.ts';

/** How long a request waits for a workflow: far beyond what one takes, so that it is answered within five seconds. */
const WORKFLOW_TIMEOUT_MS = 4_500;

/**
 * Runs a request's calls to workflows, bounded in time, with no transaction open.
 * @throws ApiError 503 where Temporal, or every worker, is out of reach.
 */
export async function reachTemporal<Result>(
  request: ApiRequest,
  call: () => Promise<Result>,
): Promise<Result> {
  if (request.isInTransaction)
    throw new Error(`POST ${request.path} waits for a workflow, and does not say so`);
  return withinTime(request.deps.temporal, WORKFLOW_TIMEOUT_MS, call);
}

/** Calls workflows within so many milliseconds. @throws ApiError 503 where Temporal, or every worker, is out of reach. */
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
 * The answer where the workflow did not finish in time. Its activity waits for the provider, or no worker runs it: the
 * API cannot tell which, and names both.
 */
export function stillUnderWay(): ApiError {
  return outOfReach(
    'Not finished in time: the payment provider or the workers are slow. It continues by itself; repeat the request, with the same Idempotency-Key where there is one, to learn how it ended',
  );
}

/** The answer to a request that needs a workflow. */
export function temporalOutOfReach(): ApiError {
  return outOfReach('The workflow engine cannot be reached at the moment; nothing is lost, please retry');
}
