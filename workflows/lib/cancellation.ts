import { CancellationScope, log } from '@temporalio/workflow';

/**
 * Makes "Request Cancellation" in the Temporal UI cancel the subject by the rules of the domain. Without this, the
 * run would end at any point and leave its row open for ever.
 * @param cancel cancels the subject, like its own update. Absent if the subject cannot be cancelled: the request
 *   then changes nothing.
 */
export function withDomainCancellation<Result>(
  body: () => Promise<Result>,
  cancel?: () => Promise<unknown>,
): Promise<Result> {
  return CancellationScope.nonCancellable(() => {
    CancellationScope.current().cancelRequested.catch(() => cancel?.().catch(noted));
    return body();
  });
}

/** Lets a handler finish its work after a cancellation request for the run. */
export function shielded<Args extends unknown[], Result>(
  handler: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => CancellationScope.nonCancellable(() => handler(...args));
}

/** A refused cancellation has no caller that waits for the answer, so it is only logged. */
function noted(error: unknown): void {
  log.warn('cancellation refused', { error });
}
