import { Context } from '@temporalio/activity';
import type { ListedRound } from '../src/domain/reconciliation.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

/** Reconciles Recebe with the banks' own lists. */
export function createReconciliationActivities({ takeListed }: ActivityDeps) {
  return {
    /**
     * Ingests payments that providers list and that were never notified, and the results of sent transfers. It can
     * stop at any point: it keeps what it has ingested and starts again from the last complete position. @param
     * nowMs the workflow's time, in milliseconds since 1970.
     */
    takeListedPayments({ nowMs }: { readonly nowMs: number }): Promise<ListedRound> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(() => takeListed(new Date(nowMs), isOver));
    },
  };
}
