import { type CliContext, contextOf } from '../../src/cli/context.ts';
import { Output } from '../../src/cli/host.ts';
import { AUDIT_KINDS, type AuditKind } from '../../src/domain/audit.ts';
import { openPages } from '../../src/recovery/find-open.ts';
import { resume, workflowStateOf } from '../../src/recovery/resume.ts';
import type { Cluster } from './cluster.ts';

type Service = Parameters<Parameters<CliContext['withWorkflows']>[0]>[0];

/**
 * Only the auditor resumes work that is overdue for longer than this: clients repeat a request after half a minute, activities
 * are retried every half a minute, and the sweeper starts unstarted work after a minute.
 */
export const LEFT_ALONE_MS = 75_000;

/**
 * Runs the auditor now, so that the run does not wait up to ten minutes for its schedule. It resumes only work that nothing
 * else has resumed so far.
 * @returns the work that it started, since when it was due, and the state of its workflow.
 */
export async function auditAhead({ postgres, temporalAddress, secretsKey }: Cluster): Promise<string[]> {
  const env = {
    DATABASE_URL: postgres.first.url,
    TEMPORAL_ADDRESS: temporalAddress,
    SECRETS_KEY: secretsKey,
  };
  const host = { env, print: () => {}, printError: () => {} };
  return contextOf(host, new Output(host, false)).withWorkflows(async (service) => {
    const started: string[] = [];
    for (const kind of Object.keys(AUDIT_KINDS) as AuditKind[])
      started.push(...(await auditKind(service, kind, new Date())));
    return started;
  });
}

async function auditKind(service: Service, kind: AuditKind, now: Date): Promise<string[]> {
  const sought = { before: new Date(now.getTime() - LEFT_ALONE_MS), startedBefore: null };
  const started: string[] = [];
  for await (const items of openPages(service.database.em, kind, sought)) {
    // Waits for all of them before the connection closes: a request that Temporal's client retries afterwards ends the process.
    const states = await Promise.allSettled(items.map((item) => workflowStateOf(service.client, item)));
    const resumed = await resume(service, kind, items, now);
    for (const [index, { id, dueAt, outcome }] of resumed.entries()) {
      const dueSeconds = dueAt === null ? 0 : Math.round((now.getTime() - dueAt.getTime()) / 1_000);
      const state = states[index];
      const run = state?.status === 'fulfilled' ? (state.value ?? "another one's") : 'unknown';
      if (outcome === 'STARTED') started.push(`${kind} ${id}, due for ${dueSeconds} s; its run: ${run}`);
    }
  }
  return started;
}
