import { Context } from '@temporalio/activity';
import type { ListedRound } from '../../src/domain/reconciliation.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';

/** What was paid, by what banks say themselves. */
export function createReconciliationActivities({ takeListed }: ActivityDeps) {
  return {
    /**
     * Takes in payments that providers list and nobody has told, and what became of what was sent. Ended in the middle it has taken in what it has, and
     * begins where it knows that all is taken in. @param nowMs the workflow's time, in milliseconds since 1970.
     */
    takeListedPayments({ nowMs }: { readonly nowMs: number }): Promise<ListedRound> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(() => takeListed(new Date(nowMs), isOver));
    },
  };
}
