import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { SentBack } from '../../workflows/charge.contract.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { RefundEntity } from '../database/entities/refund.ts';
import type { Database } from '../database/orm.ts';
import type { AuditKind, ResumeOutcome } from '../domain/audit.ts';
import type { ChargeId, PaymentId, RefundId } from '../domain/ids.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';
import { settlementStart } from '../temporal/settlement.ts';
import { endStuckRun } from '../temporal/stuck-run.ts';
import type { TaskQueues } from '../temporal/task-queues.ts';
import { unstartedWorkflowsOf } from '../temporal/unstarted-workflows.ts';
import {
  AT_ONCE,
  type Startable,
  startUnlessRunning,
  type WorkflowStart,
} from '../temporal/workflow-start.ts';
import type { OpenItem } from './page.ts';

/** What a resume needs. */
export interface ResumeDeps {
  readonly client: Client;
  readonly taskQueue: TaskQueues;
  readonly database: Database;
  readonly chargeUpdates: Pick<ChargeUpdates, 'isSendingBack' | 'refund' | 'confirmPayment'>;
  readonly log: Logger;
}

export interface Resumed extends OpenItem {
  readonly outcome: ResumeOutcome;
}

/** The table of each kind's rows. */
export const TABLE_OF_KIND = {
  charge: 'charges',
  checkout: 'checkouts',
  subscription: 'subscriptions',
  payout: 'payouts',
  delivery: 'deliveries',
  resend: 'resends',
} as const satisfies Partial<Record<AuditKind, WorkflowStart['table']>>;

/** Few at a time, so that Temporal's other work comes first: overdue work is late already. */
const AT_A_TIME = 4;

/** The time limit of one resume. If it expires, the work continues by itself or the next audit finds it. */
const TIMEOUT_MS = 10_000;

/**
 * Resumes items of one kind through their workflows, and starts a workflow that is not running. Any number of
 * processes may do so at once. A failure does not delay the other items.
 * @param now the workflows' time.
 * @param atOnce the number of concurrent resumes.
 */
export async function resume(
  deps: ResumeDeps,
  kind: AuditKind,
  items: readonly OpenItem[],
  now: Date,
  atOnce = AT_A_TIME,
): Promise<Resumed[]> {
  const startOf = await startsOf(deps, kind, items);
  const resumed: Resumed[] = [];
  for (let first = 0; first < items.length; first += atOnce) {
    const some = items.slice(first, first + atOnce);
    resumed.push(
      ...(await Promise.all(some.map((item) => tryResume(deps, item, startOf.get(item.id), now)))),
    );
  }
  return resumed;
}

export type Start = Startable;

/** How to start the workflows of these items, by id; no entry if something else advances an item. */
export async function startsOf(
  { database }: ResumeDeps,
  kind: AuditKind,
  items: readonly OpenItem[],
): Promise<ReadonlyMap<string, Start>> {
  if (kind === 'settlement') {
    return new Map(items.map((item) => [item.id, settlementStart(item, item.dueAt ?? AT_ONCE)]));
  }
  const tables: Partial<Record<AuditKind, WorkflowStart['table']>> = TABLE_OF_KIND;
  const table = tables[kind];
  if (table === undefined) return new Map();
  const ids = items.map(({ id }) => id);
  const starts = await unstartedWorkflowsOf(database.em.fork(), table, ids);
  return new Map(starts.map((start) => [start.id, start]));
}

async function tryResume(
  deps: ResumeDeps,
  item: OpenItem,
  start: Start | undefined,
  now: Date,
): Promise<Resumed> {
  const { client, log } = deps;
  const { kind, id, dueAt } = item;
  try {
    const outcome = await client.withDeadline(Date.now() + TIMEOUT_MS, () =>
      resumeOne(deps, item, start, now),
    );
    if (outcome === 'STARTED') log.info({ kind, id, dueAt }, 'overdue workflow resumed');
    return { ...item, outcome };
  } catch (error) {
    log.warn({ kind, id, dueAt, err: error }, 'overdue workflow not resumed');
    return { ...item, outcome: 'FAILED' };
  }
}

async function resumeOne(
  deps: ResumeDeps,
  { kind, id }: OpenItem,
  start: Start | undefined,
  now: Date,
): Promise<ResumeOutcome> {
  if (kind === 'refund') return refund(deps, id as RefundId);
  if (kind === 'return') return returnPayment(deps, id as PaymentId);
  // Workers notify the sandbox's payments and disputes every two seconds until they are acknowledged.
  if (start === undefined) return 'RUNNING';
  const { client, taskQueue, log } = deps;
  const begin = () => startUnlessRunning(client, taskQueue, start, now.getTime());
  if (await begin()) return 'STARTED';
  if (!(await endStuckRun(client, start.options.workflowId))) return 'RUNNING';
  log.warn({ kind, id }, 'stuck run restarted');
  return (await begin()) ? 'STARTED' : 'RUNNING';
}

async function refund(deps: ResumeDeps, refundId: RefundId): Promise<ResumeOutcome> {
  const { chargeId } = await deps.database.em.fork().findOneOrFail(RefundEntity, { id: refundId });
  return sendBack(deps, chargeId, { refundId }, (charge) =>
    deps.chargeUpdates.refund(charge, refundId, null),
  );
}

/** A provider notifies a payment once, and its lists do not show what is stored here: nothing else would ask again. */
async function returnPayment(deps: ResumeDeps, id: PaymentId): Promise<ResumeOutcome> {
  const payment = await deps.database.em.fork().findOneOrFail(PaymentEntity, { id });
  const { chargeId, providerPaymentId } = payment;
  return sendBack(deps, chargeId, { providerPaymentId }, (charge) =>
    deps.chargeUpdates.confirmPayment(charge, providerPaymentId, null),
  );
}

/** Requests the reversal, unless a run already knows it and polls by itself. */
async function sendBack(
  { database, chargeUpdates }: ResumeDeps,
  chargeId: ChargeId,
  what: SentBack,
  ask: (charge: Charge) => Promise<unknown>,
): Promise<ResumeOutcome> {
  if (await chargeUpdates.isSendingBack(chargeId, what)) return 'RUNNING';
  await ask(await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId }));
  return 'STARTED';
}
