import type { SignalDefinition } from '@temporalio/common';
import { CHARGE_WORKFLOW, chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW, checkoutWorkflowId } from '../../workflows/checkout.contract.ts';
import { DEBIT_WORKFLOW, debitNewsSignal, debitWorkflowId } from '../../workflows/debit.contract.ts';
import { PAYOUT_WORKFLOW, payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../workflows/settlement.contract.ts';
import {
  SUBSCRIPTION_WORKFLOW,
  subscriptionWorkflowId,
  wakeSignal,
} from '../../workflows/subscription.contract.ts';
import { deliveryWorkflowId, WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { resendWorkflowId, WEBHOOK_RESEND_WORKFLOW } from '../../workflows/webhook-resend.contract.ts';
import type { Em } from '../database/orm.ts';
import type { AttentionKind } from '../domain/attention.ts';
import type { AuditKind, ResumeOutcome } from '../domain/audit.ts';
import { settlementStart } from '../temporal/settlement.ts';
import { unstartedWorkflowsOf } from '../temporal/unstarted-workflows.ts';
import { AT_ONCE, type Startable, type WorkflowStart } from '../temporal/workflow-start.ts';
import { openAmong } from './find-open.ts';
import { chargeSuccessor } from './generation/charge-successor.ts';
import { deliverySuccessor } from './generation/delivery-successor.ts';
import type { Received } from './generation/received.ts';
import {
  checkoutSuccessor,
  debitSuccessor,
  payoutSuccessor,
  resendSuccessor,
  settlementSuccessor,
  subscriptionSuccessor,
} from './generation/successors.ts';
import { settlementOfRun } from './open-settlements.ts';
import type { RowKind } from './overdue-rows.ts';
import type { OpenItem } from './page.ts';
import { type ReversalDeps, resumeRefund, resumeReturn } from './reversals.ts';

/**
 * Something the service owes while a row is open. Which rows are open, and when they are overdue, is in
 * {@link OPEN_ROWS}. Without a workflow or a resume, notifications that are repeated until they are acknowledged
 * advance it.
 */
export interface Obligation {
  /** The note for a person, and after how much time of unsuccessful resumes it is written. */
  readonly note: { readonly as: AttentionKind; readonly afterMs: number };
  /** The workflow that advances it. */
  readonly workflow?: OwnWorkflow;
  /** How it is resumed if a workflow of something else advances it. */
  readonly resume?: (deps: ReversalDeps, id: string) => Promise<ResumeOutcome>;
}

/** The workflow of one kind of obligation. */
export interface OwnWorkflow {
  readonly type: string;
  /** The table whose rows record when their workflow was started; null for none. */
  readonly table: WorkflowStart['table'] | null;
  /** The workflow's id, from that of the open item. */
  readonly idOf: (id: string) => string;
  /** How to start the workflows of these items, by their ids. */
  readonly startsOf: (em: Em, items: readonly OpenItem[]) => Promise<ReadonlyMap<string, Startable>>;
  /** What is still open of these workflows. */
  readonly openOf: (em: Em, workflowIds: readonly string[]) => Promise<OpenItem[]>;
  /**
   * How a run continues in a new one, from rows and from messages that its rows do not contain. Null if nothing is
   * left to do.
   */
  readonly successor: Successor;
  /** Makes a run that sleeps read its row, which is overdue: the request that has changed the row could not reach the run. */
  readonly wakeSignal?: SignalDefinition;
}

type Successor = (em: Em, workflowId: string, received: Received) => Promise<Startable | null>;

const HOUR_MS = 60 * 60_000;

/**
 * All obligations, in the order of a rebuild. Reversals come last, since a worker has to answer for each; all others
 * are only started.
 */
export const OBLIGATIONS = {
  payout: {
    // A bank may take hours.
    note: { as: 'PAYOUT_OVERDUE', afterMs: 24 * HOUR_MS },
    workflow: ofRows('payout', PAYOUT_WORKFLOW, payoutWorkflowId, 'payouts', payoutSuccessor),
  },
  settlement: {
    note: { as: 'SETTLEMENT_OVERDUE', afterMs: HOUR_MS },
    workflow: {
      type: SETTLEMENT_WORKFLOW,
      table: null,
      idOf: (id) => id,
      startsOf: async (_, items) =>
        new Map(items.map((item) => [item.id, settlementStart(item, item.dueAt ?? AT_ONCE)])),
      openOf: async (em, workflowIds) => {
        const items: OpenItem[] = [];
        for (const id of workflowIds) items.push(...(await settlementOfRun(em, id)));
        return items;
      },
      successor: settlementSuccessor,
    },
  },
  charge: {
    note: { as: 'CHARGE_OVERDUE', afterMs: HOUR_MS },
    workflow: ofRows('charge', CHARGE_WORKFLOW, chargeWorkflowId, 'charges', chargeSuccessor),
  },
  checkout: {
    note: { as: 'CHECKOUT_OVERDUE', afterMs: HOUR_MS },
    workflow: ofRows('checkout', CHECKOUT_WORKFLOW, checkoutWorkflowId, 'checkouts', checkoutSuccessor),
  },
  subscription: {
    note: { as: 'SUBSCRIPTION_OVERDUE', afterMs: HOUR_MS },
    workflow: {
      ...ofRows(
        'subscription',
        SUBSCRIPTION_WORKFLOW,
        subscriptionWorkflowId,
        'subscriptions',
        subscriptionSuccessor,
      ),
      wakeSignal,
    },
  },
  debit: {
    // A bank may be away for hours.
    note: { as: 'DEBIT_OVERDUE', afterMs: 24 * HOUR_MS },
    workflow: {
      ...ofRows('debit', DEBIT_WORKFLOW, debitWorkflowId, 'debits', debitSuccessor),
      wakeSignal: debitNewsSignal,
    },
  },
  delivery: {
    note: { as: 'DELIVERY_OVERDUE', afterMs: HOUR_MS },
    workflow: ofRows(
      'delivery',
      WEBHOOK_DELIVERY_WORKFLOW,
      deliveryWorkflowId,
      'deliveries',
      deliverySuccessor,
    ),
  },
  resend: {
    note: { as: 'RESEND_OVERDUE', afterMs: HOUR_MS },
    workflow: ofRows('resend', WEBHOOK_RESEND_WORKFLOW, resendWorkflowId, 'resends', resendSuccessor),
  },
  refund: { note: { as: 'REFUND_OVERDUE', afterMs: HOUR_MS }, resume: resumeRefund },
  // A bank may take hours.
  return: { note: { as: 'RETURN_OVERDUE', afterMs: 24 * HOUR_MS }, resume: resumeReturn },
  paymentNotice: { note: { as: 'NOTICE_OVERDUE', afterMs: HOUR_MS } },
  disputeNotice: { note: { as: 'NOTICE_OVERDUE', afterMs: HOUR_MS } },
} as const satisfies Readonly<Record<AuditKind, Obligation>>;

/** Kinds that a workflow of their own advances. */
export type WorkflowKind = {
  [Kind in AuditKind]: (typeof OBLIGATIONS)[Kind] extends { readonly workflow: OwnWorkflow } ? Kind : never;
}[AuditKind];

export function obligationOf(kind: AuditKind): Obligation {
  return OBLIGATIONS[kind];
}

/** Everything that a workflow advances, its own or another one's, in the order of a rebuild. */
export const REBUILT = (Object.keys(OBLIGATIONS) as AuditKind[]).filter((kind) => {
  const { workflow, resume } = obligationOf(kind);
  return workflow !== undefined || resume !== undefined;
});

/** The workflows of obligations, by type. */
export const OWN_WORKFLOWS: ReadonlyMap<string, OwnWorkflow> = new Map(
  REBUILT.flatMap((kind) => obligationOf(kind).workflow ?? []).map((workflow) => [workflow.type, workflow]),
);

/** A workflow per row, whose id is `<prefix>/<id of the row>`. */
function ofRows(
  kind: RowKind,
  type: string,
  idOf: (id: never) => string,
  table: WorkflowStart['table'],
  successor: (em: Em, id: string, received: Received) => Promise<Startable | null>,
): OwnWorkflow {
  const rowOf = (workflowId: string) => workflowId.split('/')[1] ?? '';
  return {
    type,
    table,
    idOf: (id) => idOf(id as never),
    startsOf: async (em, items) => {
      const ids = items.map(({ id }) => id);
      return new Map((await unstartedWorkflowsOf(em, table, ids)).map((start) => [start.id, start]));
    },
    openOf: (em, workflowIds) => openAmong(em, kind, workflowIds.map(rowOf)),
    successor: (em, workflowId, received) => successor(em, rowOf(workflowId), received),
  };
}
