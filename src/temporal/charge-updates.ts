import { type Client, WithStartWorkflowOperation } from '@temporalio/client';
import {
  authorizeUpdate,
  CHARGE_WORKFLOW,
  cancelUpdate,
  confirmDisputeUpdate,
  confirmPaymentUpdate,
  refundUpdate,
} from '../../workflows/charge.contract.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { RefundId } from '../domain/ids.ts';
import { type ChargeToStart, chargeReopening, chargeStart } from './charge.ts';
import type { WorkflowStarter } from './workflow-starter.ts';

/**
 * What reaches a charge's workflow from outside. Each call starts the workflow if nothing has yet, wakes it if it
 * sleeps, and opens a new run if it has ended, so it never depends on what happened before.
 * Every call rejects where Temporal is out of reach; nothing has then changed, and the caller may try again.
 */
export class ChargeUpdates {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>;

  constructor(client: Client, taskQueue: string, starter: Pick<WorkflowStarter, 'takeOver' | 'markStarted'>) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#starter = starter;
  }

  /** A provider told of a payment. @returns the charge's status after it. */
  confirmPayment(
    charge: ChargeToStart,
    providerPaymentId: string,
    requestId: string | null,
  ): Promise<ChargeStatus> {
    return this.#inPlaceOfStart(charge, () =>
      this.#client.workflow.executeUpdateWithStart(confirmPaymentUpdate, {
        args: [{ providerPaymentId }],
        // The same notification told twice while one run is open is one update.
        updateId: `payment/${providerPaymentId}`,
        startWorkflowOperation: this.#start(charge, requestId),
      }),
    );
  }

  /** Has a card payment, or one of nothing, decided now. @returns the charge's status once it is. */
  async authorize(charge: ChargeToStart, requestId: string | null): Promise<ChargeStatus> {
    const status = await this.#client.workflow.executeUpdateWithStart(authorizeUpdate, {
      updateId: 'authorize',
      startWorkflowOperation: this.#start(charge, requestId),
    });
    this.#starter.markStarted({ table: 'charges', id: charge.id });
    return status;
  }

  /** The integrator cancels. @returns the charge's status after it: PAID where the payer was first. */
  cancel(charge: ChargeToStart, requestId: string | null): Promise<ChargeStatus> {
    return this.#inPlaceOfStart(charge, () =>
      this.#client.workflow.executeUpdateWithStart(cancelUpdate, {
        startWorkflowOperation: this.#start(charge, requestId),
      }),
    );
  }

  /** The integrator sends the payment back. @returns the charge's status after it; the refund's row says how it ended. */
  refund(charge: ChargeToStart, refundId: RefundId, requestId: string | null): Promise<ChargeStatus> {
    return this.#client.workflow.executeUpdateWithStart(refundUpdate, {
      args: [{ refundId }],
      updateId: `refund/${refundId}`,
      startWorkflowOperation: this.#reopen(charge, requestId),
    });
  }

  /** A provider told of a dispute. @returns the charge's status after it. */
  confirmDispute(
    charge: ChargeToStart,
    providerDisputeId: string,
    requestId: string | null,
  ): Promise<ChargeStatus> {
    return this.#client.workflow.executeUpdateWithStart(confirmDisputeUpdate, {
      args: [{ providerDisputeId }],
      startWorkflowOperation: this.#reopen(charge, requestId),
    });
  }

  /** Where the charge's own start still waits, the update brings it along: one call instead of two. */
  async #inPlaceOfStart<Result>(charge: ChargeToStart, update: () => Promise<Result>): Promise<Result> {
    const waited = this.#starter.takeOver(charge.id);
    const result = await update();
    if (waited) this.#starter.markStarted({ table: 'charges', id: charge.id });
    return result;
  }

  #reopen(charge: ChargeToStart, requestId: string | null) {
    return new WithStartWorkflowOperation(CHARGE_WORKFLOW, {
      ...chargeReopening(charge, requestId),
      taskQueue: this.#taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }

  #start(charge: ChargeToStart, requestId: string | null) {
    return new WithStartWorkflowOperation(CHARGE_WORKFLOW, {
      ...chargeStart(charge, requestId).options,
      taskQueue: this.#taskQueue,
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
  }
}
