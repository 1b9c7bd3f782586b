import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { notActive } from './queries.ts';

/** A subscription cancelled during the request gets the same error as one cancelled before. */
export async function reachSubscription<Result>(
  request: ApiRequest,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await reachTemporal(request, call);
  } catch (error) {
    if (isNotActive(error)) throw notActive();
    throw error;
  }
}

/** Whether the workflow refused an update because the subscription has ended. */
export function isNotActive(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type === 'NOT_ACTIVE';
}
