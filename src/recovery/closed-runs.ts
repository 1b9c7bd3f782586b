import { type Client, isGrpcServiceError, ServiceError } from '@temporalio/client';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/checkout.contract.ts';
import { PAYOUT_WORKFLOW } from '../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../workflows/settlement.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { WEBHOOK_RESEND_WORKFLOW } from '../../workflows/webhook-resend.contract.ts';
import type { Database } from '../database/orm.ts';
import type { AuditKind } from '../domain/audit.ts';
import { isCivilDate } from '../domain/civil-date.ts';
import type { StoreId } from '../domain/ids.ts';
import { QUEUE_NAMES, type TaskQueues, taskQueueFor } from '../temporal/task-queues.ts';
import { openAmong } from './find-open.ts';
import { openSettlementOf } from './open-settlements.ts';
import { type OpenItem, PAGE_SIZE } from './page.ts';

/** The kind of row that a workflow type belongs to; the workflow id is `<prefix>/<id of the row>`. */
const KIND_OF_TYPE: ReadonlyMap<string, Exclude<AuditKind, 'settlement'>> = new Map([
  [CHARGE_WORKFLOW, 'charge'],
  [CHECKOUT_WORKFLOW, 'checkout'],
  [SUBSCRIPTION_WORKFLOW, 'subscription'],
  [PAYOUT_WORKFLOW, 'payout'],
  [WEBHOOK_DELIVERY_WORKFLOW, 'delivery'],
  [WEBHOOK_RESEND_WORKFLOW, 'resend'],
]);

/** gRPC's code for a call that the server does not implement. */
const UNIMPLEMENTED = 12;

/** A run that ended other than by its own code. */
export interface ClosedRun {
  readonly workflowId: string;
  readonly type: string;
}

/** Runs that were terminated or failed since an instant, as Temporal lists them. */
export function closedRuns(client: Client, queues: TaskQueues, since: Date): AsyncIterable<ClosedRun> {
  const types = [...KIND_OF_TYPE.keys(), SETTLEMENT_WORKFLOW].map((type) => `'${type}'`).join(', ');
  const names = new Set(QUEUE_NAMES.map((name) => `'${taskQueueFor(queues, name)}'`));
  const query =
    `ExecutionStatus IN ('Terminated', 'Canceled', 'Failed', 'TimedOut') AND WorkflowType IN (${types}) ` +
    `AND TaskQueue IN (${[...names].join(', ')}) AND CloseTime > '${since.toISOString()}'`;
  return unlessUnlistable(client.workflow.list({ query, pageSize: PAGE_SIZE }));
}

/** A server without a list of runs, like the test server, has none to check. */
async function* unlessUnlistable<Run>(runs: AsyncIterable<Run>): AsyncGenerator<Run> {
  try {
    yield* runs;
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    if (!isGrpcServiceError(cause) || cause.code !== UNIMPLEMENTED) throw error;
  }
}

/** The rows of these runs that are still open and therefore need a run. */
export async function* openAfterRuns(
  database: Database,
  runs: AsyncIterable<ClosedRun>,
): AsyncGenerator<OpenItem[]> {
  let page: ClosedRun[] = [];
  for await (const run of runs) {
    page.push(run);
    if (page.length < PAGE_SIZE) continue;
    yield await openAmongRuns(database, page);
    page = [];
  }
  if (page.length > 0) yield await openAmongRuns(database, page);
}

async function openAmongRuns(database: Database, runs: readonly ClosedRun[]): Promise<OpenItem[]> {
  const em = database.em.fork();
  const items: OpenItem[] = [];
  for (const [type, kind] of KIND_OF_TYPE) {
    const ids = runs
      .filter((run) => run.type === type)
      .map(({ workflowId }) => workflowId.split('/')[1] ?? '');
    if (ids.length > 0) items.push(...(await openAmong(em, kind, ids)));
  }
  for (const { type, workflowId } of runs) {
    const [, storeId = '', environment, day = ''] = workflowId.split('/');
    if (type !== SETTLEMENT_WORKFLOW || !isCivilDate(day)) continue;
    const item = await openSettlementOf(em, storeId as StoreId, environment === 'dev', day);
    if (item !== null) items.push(item);
  }
  return items;
}
