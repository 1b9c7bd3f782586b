import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';

/** Whether a call failed because Temporal, or every worker that should have answered, is unavailable. */
export function isTemporalAway(error: unknown): boolean {
  return (
    isGrpcServiceError(error) ||
    error instanceof ServiceError ||
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError
  );
}
