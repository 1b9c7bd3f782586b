import { Context } from '@temporalio/activity';
import type { AuditInput, AuditReport } from '../src/domain/audit.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

/** The auditor's work. */
export function createAuditActivities({ audit }: ActivityDeps) {
  return {
    /** Finds overdue work and resumes it. @returns what it found, for operators and the next audit. */
    audit(input: AuditInput): Promise<AuditReport> {
      const { cancellationSignal } = Context.current();
      return withHeartbeats(() => audit(input, () => cancellationSignal.throwIfAborted()));
    },
  };
}
