import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type AuditReport, auditText } from '../src/domain/audit.ts';

/**
 * Checks every open row; after an outage there may be hundreds of thousands. The activity is retried until Postgres
 * is back; its retries add no events.
 */
const audits = proxyActivities<Pick<Activities, 'audit'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run is one audit: it finds overdue work, resumes it and returns what it found. A schedule starts a run every
 * few minutes, and never two at once. It is durable because it repairs lost runs: an audit that dies is repeated,
 * and each audit continues from the result of the previous one.
 */
export async function auditor(): Promise<AuditReport> {
  const last = (workflowInfo().lastResult ?? null) as AuditReport | null;
  const report = await audits.audit({ nowMs: Date.now(), last });
  setCurrentDetails(auditText(report));
  return report;
}
