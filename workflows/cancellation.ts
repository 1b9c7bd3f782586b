import { CancellationScope, log } from '@temporalio/workflow';

/**
 * Runs a workflow's body so that "Request Cancellation" of the Temporal UI means what the domain means by it.
 * Without this, the run would end wherever it stands, and leave its row open for ever.
 * @param cancel has the domain cancel, as its own update does. Absent for what cannot be called back: the
 *   request then changes nothing.
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

/**
 * A handler that goes on when the run's cancellation is asked for: what it has begun is done in its good
 * order.
 */
export function shielded<Args extends unknown[], Result>(
  handler: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) => CancellationScope.nonCancellable(() => handler(...args));
}

/** What cannot be cancelled says so itself, and nobody waits for the answer. */
function noted(error: unknown): void {
  log.warn('a cancellation was asked for and refused', { error });
}
