import type { Client } from '@temporalio/client';
import {
  DEBIT_WORKFLOW,
  type DebitInput,
  debitNewsSignal,
  debitWorkflowId,
} from '../../workflows/debit.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { type Debit, DebitEntity } from '../database/entities/debit.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import type { TaskQueues } from './task-queues.ts';
import { AT_ONCE, ownSearchAttributes, signalOrStart, type WorkflowStart } from './workflow-start.ts';

/** How to start the workflow of a debit. Its row says when it has work. */
export function debitStart(debit: Debit): WorkflowStart {
  const { id, amountCents, dueDate, status, nextAt } = debit;
  const input: DebitInput = { debitId: id };
  return {
    table: 'debits',
    id,
    workflowType: DEBIT_WORKFLOW,
    storeId: debit.storeId,
    devMode: debit.devMode,
    sleepsUntil: nextAt ?? AT_ONCE,
    options: {
      workflowId: debitWorkflowId(id),
      args: [input],
      staticSummary: `Debit of ${formatBrl(amountCents)} on ${dueDate}`,
      ...(status === 'ORDERED' && {
        staticDetails: `${formatBrl(amountCents)} are scheduled at the payer's bank for **${dueDate}**.`,
      }),
      memo: {},
      typedSearchAttributes: [
        { key: searchAttribute.method, value: 'PIX' },
        { key: searchAttribute.cycleNumber, value: debit.number },
        ...ownSearchAttributes({ ...debit, customerId: null, externalId: null }, debit.status),
      ],
      priority: { fairnessKey: debit.storeId },
    },
  };
}

interface WakeDeps {
  readonly database: Database;
  readonly client: Client;
  readonly queues: TaskQueues;
}

/** Has the workflow of a debit read its row, which has changed. @throws if Temporal is unavailable. */
export async function wakeDebit({ database, client, queues }: WakeDeps, id: ChargeId): Promise<void> {
  const debit = await database.em.fork().findOneOrFail(DebitEntity, { id });
  await signalOrStart(client, queues, debitStart(debit), debitNewsSignal, []);
}
