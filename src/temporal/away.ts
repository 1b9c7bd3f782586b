import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';

/** Whether a call has failed because Temporal, or every worker that should have answered, is out of reach. */
export function isTemporalAway(error: unknown): boolean {
  return (
    isGrpcServiceError(error) ||
    error instanceof ServiceError ||
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError
  );
}
