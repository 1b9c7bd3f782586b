import type { Client } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';
import { STUCK_RUN_RESTARTED } from '../../src/temporal/stuck-run.ts';
import type { Open } from './open.ts';
import type { Report } from './report.ts';

/**
 * Runs that still go on of what has ended: only active subscriptions sleep, days that are to be settled, and
 * deliveries to the dead. Those of charges and checkouts are counted by {@link runsOf}: one whose last task was
 * lost with its update sleeps to its row's deadline, although that has ended.
 * @param mayStay ids of rows that may stay open.
 */
export async function openWorkflows(
  client: Client,
  database: Database,
  mayStay: ReadonlySet<string>,
): Promise<Open[]> {
  const [sleeping = { ids: [] }] = await database.em.fork().execute<{ ids: string[] }[]>(`
    select coalesce(json_agg(id), '[]') as ids from (
      select 'subscription/' || id as id from subscriptions where status = 'ACTIVE'
      union all select 'delivery/' || id from deliveries where status = 'PENDING'
    ) each`);
  const mayGoOn = new Set(sleeping.ids);
  const listed: string[] = [];
  const query =
    "ExecutionStatus = 'Running' AND WorkflowType != 'settlement' AND WorkflowType != 'charge' AND WorkflowType != 'checkout'";
  for await (const { workflowId } of client.workflow.list({ query }))
    if (!mayGoOn.has(workflowId) && !mayStay.has(workflowId.slice(workflowId.indexOf('/') + 1)))
      listed.push(workflowId);
  // A server that was killed lists what has ended as running for up to a minute; the run itself knows better.
  const states = await Promise.all(listed.map((id) => client.workflow.getHandle(id).describe()));
  return states
    .filter(({ status }) => status.name === 'RUNNING')
    .map(({ workflowId: id, historyLength }) => ({
      what: 'workflow',
      id,
      state: `Running, ${historyLength} events`,
    }));
}

/** Runs that ended abnormally. Stuck runs were restarted: {@link runsOf} counts those. */
export async function failedWorkflows(client: Client): Promise<string[]> {
  const query = ['Failed', 'Terminated', 'TimedOut', 'Canceled']
    .map((status) => `ExecutionStatus = '${status}'`)
    .join(' OR ');
  const failed: string[] = [];
  for await (const { workflowId, runId, status, searchAttributes } of client.workflow.list({ query })) {
    // A card that was declined, a webhook that was given up.
    if (status.name === 'FAILED' && searchAttributes.Status?.[0] === 'FAILED') continue;
    if (status.name === 'TERMINATED' && (await isRestarted(client, workflowId, runId))) continue;
    failed.push(`workflow ${workflowId} is ${status.name}`);
  }
  return failed;
}

async function isRestarted(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return events?.at(-1)?.workflowExecutionTerminatedEventAttributes?.reason === STUCK_RUN_RESTARTED;
}

/** How many runs there were, how many events the longest history has, how many outlive their row or were restarted. */
export async function runsOf(client: Client): Promise<Report['workflows']> {
  let [count, mostEvents, outliving, restarted] = [0, 0, 0, 0];
  for await (const { workflowId, runId, historyLength, type, status } of client.workflow.list()) {
    count += 1;
    if (status.name === 'TERMINATED' && (await isRestarted(client, workflowId, runId))) restarted += 1;
    mostEvents = Math.max(mostEvents, historyLength);
    if ((type === 'charge' || type === 'checkout') && status.name === 'RUNNING') outliving += 1;
  }
  return { count, mostEvents, outliving, restarted };
}
