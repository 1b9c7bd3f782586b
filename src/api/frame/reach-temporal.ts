import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApiError } from './errors.ts';

/** How long a request waits for a workflow: far beyond what one takes, and short of what a client waits. */
const WORKFLOW_TIMEOUT_MS = 5_000;

/**
 * Runs calls to workflows, bounded in time.
 * @throws ApiError 503 where Temporal, or every worker, is out of reach.
 */
export async function reachTemporal<Result>(temporal: Client, call: () => Promise<Result>): Promise<Result> {
  try {
    return await temporal.withDeadline(Date.now() + WORKFLOW_TIMEOUT_MS, call);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    throw temporalOutOfReach();
  }
}

/** Tells the client to try again in a moment. */
export function temporalOutOfReach(): ApiError {
  const message = 'The workflow engine cannot be reached at the moment; nothing is lost, please retry';
  return new ApiError(503, 'TEMPORARILY_UNAVAILABLE', message, undefined, { 'Retry-After': '5' });
}

function isOutOfReach(error: unknown): boolean {
  return (
    isGrpcServiceError(error) ||
    error instanceof ServiceError ||
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError
  );
}
