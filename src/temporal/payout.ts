import { PAYOUT_WORKFLOW, type PayoutInput, payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import type { Payout } from '../database/entities/payout.ts';
import { formatBrl } from '../domain/money.ts';
import { ownSearchAttributes, type WorkflowStart } from './workflow-start.ts';

/**
 * How to start the workflow of a payout or transfer: at once. The key stays in Postgres, as it may be someone's tax
 * id.
 */
export function payoutStart(payout: Payout, requestId: string | null): WorkflowStart {
  const { id, kind, amountCents, createdAt } = payout;
  const input: PayoutInput = { payoutId: id };
  return {
    table: 'payouts',
    id,
    workflowType: PAYOUT_WORKFLOW,
    storeId: payout.storeId,
    devMode: payout.devMode,
    sleepsUntil: createdAt,
    options: {
      workflowId: payoutWorkflowId(id),
      args: [input],
      staticSummary: `${kind} ${formatBrl(amountCents)}`,
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: [
        { key: searchAttribute.method, value: 'PIX' },
        ...ownSearchAttributes({ ...payout, customerId: null }, 'PENDING'),
      ],
      priority: { fairnessKey: payout.storeId },
    },
  };
}
