import type { AuditReport } from '../../../src/domain/audit.ts';
import { type AuditDeps, audit } from '../../../src/temporal/audit/audit.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';
import { chargeUpdates } from './charge-life.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/** What an audit of the world works with. The time-skipping server lists no runs. */
export function auditDeps(world: WorkflowWorld, given: Partial<AuditDeps> = {}): AuditDeps {
  return {
    client: world.client,
    taskQueue: world.taskQueue,
    database: world.database,
    chargeUpdates: chargeUpdates(world),
    closedRuns: noRuns,
    log: SILENT_LOG,
    ...given,
  };
}

/** Makes an audit now. @param last what the one before has left. */
export async function auditNow(
  world: WorkflowWorld,
  last: AuditReport | null = null,
  given: Partial<AuditDeps> = {},
): Promise<AuditReport> {
  return audit(auditDeps(world, given), { nowMs: (await world.now()).getTime(), last });
}

async function* noRuns() {}
