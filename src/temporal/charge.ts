import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import {
  authorizeUpdate,
  CHARGE_WORKFLOW,
  type ChargeInput,
  cancelUpdate,
  chargeWorkflowId,
  confirmDisputeUpdate,
  confirmPaymentUpdate,
  lookUpPaymentSignal,
  providerNewsSignal,
  refundUpdate,
  type SentBack,
} from '../../workflows/charge.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { subscriptionWorkflowId } from '../../workflows/subscription.contract.ts';
import { METHODS } from '../charges/methods/index.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeId, RefundId, SubscriptionId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import { PaymentsUnderWay } from './payments-under-way.ts';
import { endIfStuck, endStuckRun } from './stuck-run.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';
import { AT_ONCE, askedAgain, ownSearchAttributes, startOnce, type WorkflowStart } from './workflow-start.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/** The server refuses an update at once if the run does not know it. */
const KNOWN_WITHIN_MS = 1_000;

/** The columns that starting a charge's workflow needs. */
export type ChargeToStart = Pick<
  Charge,
  | 'id'
  | 'storeId'
  | 'devMode'
  | 'method'
  | 'amountCents'
  | 'customerId'
  | 'externalId'
  | 'cycleId'
  | 'lateFrom'
  | 'closesAt'
  | 'workflowStartedAt'
>;

/** How to start the workflow of a charge. A card payment has work at once; all others wait for their first deadline. */
export function chargeStart(charge: ChargeToStart, requestId: string | null): WorkflowStart {
  const isDecidedAtOnce = METHODS[charge.method].decidedBy !== 'PAYER';
  const input: ChargeInput = {
    chargeId: charge.id,
    lateFromMs: charge.lateFrom?.getTime() ?? null,
    closesAtMs: charge.closesAt.getTime(),
    ...(isDecidedAtOnce && { authorizes: true }),
    ...(isDecidedAtOnce && charge.cycleId !== null && { collects: true }),
  };
  return {
    table: 'charges',
    id: charge.id,
    workflowType: CHARGE_WORKFLOW,
    storeId: charge.storeId,
    devMode: charge.devMode,
    sleepsUntil: isDecidedAtOnce ? AT_ONCE : (charge.lateFrom ?? charge.closesAt),
    options: {
      workflowId: chargeWorkflowId(charge.id),
      args: [input],
      staticSummary: `${charge.method} ${formatBrl(charge.amountCents)}`,
      staticDetails: isDecidedAtOnce ? 'Is authorized at once.' : asleep(charge),
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: searchAttributesOf(charge),
      priority: { fairnessKey: charge.storeId },
    },
  };
}

/** How to open a run for work on a paid charge: a refund or a dispute. */
export function chargeReopening(charge: ChargeToStart, requestId: string | null): WorkflowStart['options'] {
  const input: ChargeInput = {
    chargeId: charge.id,
    lateFromMs: null,
    closesAtMs: charge.closesAt.getTime(),
    reopens: true,
  };
  const { options } = chargeStart(charge, requestId);
  return { ...options, args: [input], staticDetails: 'Opened again by a refund or a dispute.' };
}

/** How to open a run that ends after the look-up of a payment. */
function lookUpReopening(
  charge: ChargeToStart,
  providerPaymentId: string,
  requestId: string | null,
): WorkflowStart['options'] {
  const options = chargeReopening(charge, requestId);
  const [input] = options.args as [ChargeInput];
  const nowMs = Date.now();
  const unfinished = [{ providerPaymentId, unknownSinceMs: nowMs, dueAtMs: nowMs }];
  const staticDetails = 'Opened again to look a payment up at its provider.';
  return { ...options, args: [{ ...input, unfinished }], staticDetails };
}

/**
 * Sends updates to charge workflows. Each update starts the workflow if necessary, wakes it from its start delay,
 * and opens a new run if the last one has ended, so it does not depend on earlier calls. Every call rejects if
 * Temporal is unavailable; nothing has then changed, and the caller may retry.
 */
export class ChargeUpdates {
  readonly #client: Client;
  readonly #queues: TaskQueues;
  readonly #starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>;
  readonly #payments: PaymentsUnderWay;

  /** @param payments the payments for which this process waits. */
  constructor(
    client: Client,
    queues: TaskQueues,
    starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>,
    payments = new PaymentsUnderWay(),
  ) {
    this.#client = client;
    this.#queues = queues;
    this.#starter = starter;
    this.#payments = payments;
  }

  /**
   * Runs the workflow of an attempt at a cycle; succeeds if it is already running. If someone terminated it while
   * the charge was open, it runs again.
   */
  startAttempt(charge: ChargeToStart, subscriptionId: SubscriptionId, now: Date): Promise<void> {
    const start = chargeStart(charge, null);
    const staticDetails = `${start.options.staticDetails} Reports its result to **${subscriptionWorkflowId(subscriptionId)}**.`;
    const [input] = start.options.args as [ChargeInput];
    // No payer waits for it, also if it charges what a subscription has used before its end.
    const args = [input.authorizes ? { ...input, collects: true } : input];
    const attempt = { ...start, options: { ...start.options, args, staticDetails } };
    return startOnce(this.#client, this.#queues, attempt, {
      nowMs: now.getTime(),
      isEager: true,
      mayRunAgain: true,
    });
  }

  /** A provider notified a payment. @returns the charge's status afterwards. */
  confirmPayment(
    charge: ChargeToStart,
    providerPaymentId: string,
    requestId: string | null,
  ): Promise<ChargeStatus> {
    const confirm = () =>
      this.#client.workflow.executeUpdateWithStart(confirmPaymentUpdate, {
        args: [{ providerPaymentId }],
        updateId: updateIdOf({ providerPaymentId }),
        startWorkflowOperation: this.#start(charge, requestId),
      });
    return this.#payments.during(charge, () => this.#inPlaceOfStart(charge, confirm));
  }

  /**
   * A provider notified a payment again while money of its charge is being returned. The run has already answered
   * that payment's update, so a signal makes it poll now. @throws if Temporal is unavailable.
   */
  async askProviderNow(chargeId: ChargeId): Promise<void> {
    try {
      await this.#client.workflow.getHandle(chargeWorkflowId(chargeId)).signal(providerNewsSignal);
    } catch (error) {
      // The auditor finds a charge without a run.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /**
   * Looks a payment up now, and again for an hour and a half if its provider does not know it yet: in the open run
   * of its charge, or in a new one. The update of {@link confirmPayment} cannot do that: Temporal returns the
   * stored result of an update that a run has already answered, even after the run has ended. Does not wait for the
   * result.
   * @throws if Temporal is unavailable.
   */
  async lookUpPayment(
    charge: ChargeToStart & Pick<Charge, 'status'>,
    providerPaymentId: string,
    requestId: string | null,
  ): Promise<void> {
    const options =
      charge.status === 'PENDING'
        ? chargeStart(charge, requestId).options
        : lookUpReopening(charge, providerPaymentId, requestId);
    const lookUp = () =>
      this.#client.workflow.signalWithStart(CHARGE_WORKFLOW, {
        ...options,
        taskQueue: this.#queueOf(charge),
        signal: lookUpPaymentSignal,
        signalArgs: [{ providerPaymentId }],
      });
    await lookUp();
    // A stuck run accepts signals but never handles them.
    if (await endStuckRun(this.#client, options.workflowId)) await lookUp();
  }

  /** Decides a card payment, or a payment of nothing, now. @returns the charge's status once it is decided. */
  async authorize(charge: ChargeToStart, requestId: string | null): Promise<ChargeStatus> {
    const authorize = () =>
      this.#client.workflow.executeUpdateWithStart(authorizeUpdate, {
        updateId: 'authorize',
        startWorkflowOperation: this.#start(charge, requestId),
      });
    const status = await this.#payments.during(charge, () => this.#ask(charge, authorize));
    this.#starter.markStarted({ table: 'charges', id: charge.id });
    return status;
  }

  /** The integrator cancels. @returns the charge's status afterwards: PAID if the payer was first. */
  cancel(charge: ChargeToStart, requestId: string | null): Promise<ChargeStatus> {
    return this.#inPlaceOfStart(charge, () =>
      this.#client.workflow.executeUpdateWithStart(cancelUpdate, {
        startWorkflowOperation: this.#start(charge, requestId),
      }),
    );
  }

  /** The integrator refunds the payment. @returns the charge's status afterwards; the refund's row has its result. */
  refund(charge: ChargeToStart, refundId: RefundId, requestId: string | null): Promise<ChargeStatus> {
    return this.#ask(charge, () =>
      this.#client.workflow.executeUpdateWithStart(refundUpdate, {
        args: [{ refundId }],
        updateId: updateIdOf({ refundId }),
        startWorkflowOperation: this.#reopen(charge, requestId),
      }),
    );
  }

  /**
   * Whether an open run knows of this reversal, and so polls for it by itself, however long the provider takes.
   * Does not wait for the result. Ends a stuck run. @throws if Temporal is unavailable.
   */
  async isSendingBack(chargeId: ChargeId, what: SentBack): Promise<boolean> {
    const handle = this.#client.workflow.getHandle(chargeWorkflowId(chargeId));
    try {
      const description = await handle.describe();
      if (description.status.name !== 'RUNNING') return false;
      if (await endIfStuck(this.#client, description)) return false;
      const update = handle.getUpdateHandle(updateIdOf(what));
      await this.#client.withDeadline(Date.now() + KNOWN_WITHIN_MS, () => update.result());
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      // The run knows it and has not finished.
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
      throw error;
    }
  }

  /** A provider notified a dispute. @returns the charge's status afterwards. */
  confirmDispute(
    charge: ChargeToStart,
    providerDisputeId: string,
    requestId: string | null,
  ): Promise<ChargeStatus> {
    return this.#ask(charge, () =>
      this.#client.workflow.executeUpdateWithStart(confirmDisputeUpdate, {
        args: [{ providerDisputeId }],
        startWorkflowOperation: this.#reopen(charge, requestId),
      }),
    );
  }

  #ask<Result>({ id }: ChargeToStart, update: () => Promise<Result>): Promise<Result> {
    return askedAgain(this.#client, chargeWorkflowId(id), update);
  }

  #queueOf({ devMode }: ChargeToStart): string {
    return taskQueueOf(this.#queues, { workflowType: CHARGE_WORKFLOW, devMode });
  }

  /** If the charge's own start is still queued, the update replaces it: one call instead of two. */
  async #inPlaceOfStart<Result>(charge: ChargeToStart, update: () => Promise<Result>): Promise<Result> {
    const waited = this.#starter.takeOver(charge);
    const result = await this.#ask(charge, update);
    if (waited) this.#starter.markStarted({ table: 'charges', id: charge.id });
    return result;
  }

  #reopen(charge: ChargeToStart, requestId: string | null) {
    return new WithStartWorkflowOperation(CHARGE_WORKFLOW, {
      ...chargeReopening(charge, requestId),
      taskQueue: this.#queueOf(charge),
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }

  #start(charge: ChargeToStart, requestId: string | null) {
    return new WithStartWorkflowOperation(CHARGE_WORKFLOW, {
      ...chargeStart(charge, requestId).options,
      taskQueue: this.#queueOf(charge),
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }
}

/** Repeated calls while one run is open become one update. */
function updateIdOf(what: SentBack): string {
  return 'refundId' in what ? `refund/${what.refundId}` : `payment/${what.providerPaymentId}`;
}

function asleep({ lateFrom, closesAt }: ChargeToStart): string {
  const until = (lateFrom ?? closesAt).toISOString();
  const reason = lateFrom ? 'fine and interest begin' : 'it expires unpaid';
  return `Asleep until **${until}**, when ${reason}. A payment or a cancellation wakes it.`;
}

function searchAttributesOf(charge: ChargeToStart): SearchAttributePair[] {
  return [{ key: searchAttribute.method, value: charge.method }, ...ownSearchAttributes(charge, 'PENDING')];
}
