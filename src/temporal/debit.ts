import type { Client } from '@temporalio/client';
import {
  DEBIT_WORKFLOW,
  type DebitInput,
  debitNewsSignal,
  debitWorkflowId,
} from '../../workflows/debit.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import type { Debit } from '../database/entities/debit.ts';
import type { ChargeId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import { AT_ONCE, ownSearchAttributes, type WorkflowStart } from './workflow-start.ts';

/** How to start the workflow of a debit: at once. Its row says when it has work. */
export function debitStart(debit: Debit): WorkflowStart {
  const { id, amountCents, dueDate } = debit;
  const input: DebitInput = { debitId: id };
  return {
    table: 'debits',
    id,
    workflowType: DEBIT_WORKFLOW,
    storeId: debit.storeId,
    devMode: debit.devMode,
    sleepsUntil: AT_ONCE,
    options: {
      workflowId: debitWorkflowId(id),
      args: [input],
      staticSummary: `Debit of ${formatBrl(amountCents)} on ${dueDate}`,
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

/** Has the workflow of a debit read its row. @throws if Temporal is unavailable, or no run is open. */
export async function signalDebit(client: Client, id: ChargeId): Promise<void> {
  await client.workflow.getHandle(debitWorkflowId(id)).signal(debitNewsSignal);
}
