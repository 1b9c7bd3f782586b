import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type AuditReport, auditText } from '../src/domain/audit.ts';

/**
 * A look at every open row, which after an outage may be hundreds of thousands. Retried for as long as
 * Postgres is away, which adds no events.
 */
const audits = proxyActivities<Pick<Activities, 'audit'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run stands for one audit: it finds what is past what should have happened, has it resumed, and ends
 * with what it found. A schedule starts it every few minutes, and never while another one runs. It is durable
 * because it is what looks after runs that were lost: an audit that dies is made again, and the next one goes
 * on from the result of the last.
 */
export async function auditor(): Promise<AuditReport> {
  const last = (workflowInfo().lastResult ?? null) as AuditReport | null;
  const report = await audits.audit({ nowMs: Date.now(), last });
  setCurrentDetails(auditText(report));
  return report;
}
