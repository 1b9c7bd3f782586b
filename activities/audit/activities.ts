import { Context } from '@temporalio/activity';
import type { AuditInput, AuditReport } from '../../src/domain/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';

/** What the auditor does. */
export function createAuditActivities({ audit }: ActivityDeps) {
  return {
    /** Finds what is overdue and drives it on. @returns what it has found, for operators and the next audit. */
    audit(input: AuditInput): Promise<AuditReport> {
      const { cancellationSignal } = Context.current();
      return withHeartbeats(() => audit(input, () => cancellationSignal.throwIfAborted()));
    },
  };
}
