import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { DeliveryEntity } from '../database/entities/delivery.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { ResendEntity } from '../database/entities/resend.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { ChargeId, CheckoutId, DeliveryId, PayoutId, ResendId, SubscriptionId } from '../domain/ids.ts';
import { endRunIfStuck } from './stuck-run.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';

/** The tables whose rows each have a workflow of their own, and note when it was started. */
export const STARTED_TABLES = {
  charges: ChargeEntity,
  checkouts: CheckoutEntity,
  subscriptions: SubscriptionEntity,
  payouts: PayoutEntity,
  deliveries: DeliveryEntity,
  resends: ResendEntity,
} as const;

/** Any moment that has passed: a workflow that sleeps until then has work at once. */
export const AT_ONCE = new Date(0);

/** How the workflow of one committed row is started, by whichever process comes to it. */
export interface WorkflowStart {
  readonly table: keyof typeof STARTED_TABLES;
  readonly id: ChargeId | CheckoutId | SubscriptionId | PayoutId | DeliveryId | ResendId;
  readonly workflowType: string;
  readonly storeId: string;
  /** Whether it is of a dev environment, whose runs have a task queue of their own. */
  readonly devMode: boolean;
  readonly options: Pick<
    WorkflowStartOptions,
    | 'workflowId'
    | 'args'
    | 'staticSummary'
    | 'staticDetails'
    | 'memo'
    | 'typedSearchAttributes'
    // Who gets a turn beside others where tasks wait for workers: each store, and each endpoint of webhooks. The
    // server minds it only where it is told to (docs/operating.md).
    | 'priority'
  >;
  /**
   * Until then the workflow has nothing to do, so its first task waits; an update or a signal wakes it
   * sooner.
   */
  readonly sleepsUntil: Date;
}

/** What is searched for of everything that has an amount. What a row lacks is not searched for. */
export function ownSearchAttributes(
  { storeId, devMode, amountCents, customerId, externalId }: Searched,
  status: string,
): SearchAttributePair[] {
  return [
    { key: searchAttribute.storeId, value: storeId },
    { key: searchAttribute.devMode, value: devMode },
    { key: searchAttribute.status, value: status },
    { key: searchAttribute.amountCents, value: amountCents },
    ...(customerId === null ? [] : [{ key: searchAttribute.customerId, value: customerId }]),
    ...(externalId === null ? [] : [{ key: searchAttribute.externalId, value: externalId }]),
  ];
}

type Searched = Pick<Charge, 'storeId' | 'devMode' | 'amountCents' | 'customerId' | 'externalId'>;

/** How long the first task can wait; zero where its time has come. */
export function startDelayMs({ sleepsUntil }: Pick<WorkflowStart, 'sleepsUntil'>, nowMs: number): number {
  return Math.max(0, sleepsUntil.getTime() - nowMs);
}

/** What is needed to start a workflow. */
export type Startable = Pick<WorkflowStart, 'workflowType' | 'devMode' | 'options' | 'sleepsUntil'>;

/** How a workflow is started. */
export interface StartTerms {
  readonly nowMs: number;
  /**
   * Hands the first task of a workflow that has work at once straight to the worker that shares this client's
   * connection, without a trip through the task queue.
   */
  readonly isEager?: true;
  /** Whether one that has ended may be started again; else it is left as it ended. */
  readonly mayRunAgain?: true;
}

/**
 * Starts a workflow; one that has been started already is a success. @throws where Temporal is out of reach.
 */
export async function startOnce(
  client: Client,
  queues: TaskQueues,
  start: Startable,
  { nowMs, isEager, mayRunAgain }: StartTerms,
): Promise<void> {
  const startDelay = startDelayMs(start, nowMs);
  await unlessStarted(
    client.workflow.start(start.workflowType, {
      ...start.options,
      taskQueue: taskQueueOf(queues, start),
      workflowIdReusePolicy: mayRunAgain ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
      ...(startDelay > 0 ? { startDelay } : isEager && { requestEagerStart: true }),
    }),
  );
}

/**
 * The server's codes for an update that came with a workflow task which was thrown away, and for one whose run
 * has ended between being found and being told.
 */
const FAILED_PRECONDITION = 9;
const NOT_FOUND = 5;

/** The client's codes for a call whose time is over. */
const DEADLINE_EXCEEDED = 4;
const CANCELLED = 1;

/** A run continues as new, or ends, once: what is asked for again meets its successor. */
const ASKED_AT_MOST = 5;

/**
 * Has an update of a run made that may be asked for again. The server refuses one that came just as the run was about to
 * continue as new, or to end, and was called back by something else; nothing has changed then. A run that does not answer,
 * as it cannot go on, is ended, so that the update which is asked for next begins another one.
 * @throws where Temporal is out of reach.
 */
export async function askedAgain<Result>(
  client: Client,
  workflowId: string,
  update: () => Promise<Result>,
): Promise<Result> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await update();
    } catch (error) {
      const code = isGrpcServiceError(error) ? error.code : null;
      const isNotReady = code === FAILED_PRECONDITION || code === NOT_FOUND;
      if (isNotReady && asked < ASKED_AT_MOST) continue;
      if (isUnanswered(error)) await endRunIfStuck(client, workflowId);
      throw error;
    }
  }
}

/** Whether the server took the call and no worker has answered in the time that the caller had. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === DEADLINE_EXCEEDED || cause.code === CANCELLED);
}

/**
 * Starts a workflow again that should be running, whether it has ended or is not known any more.
 * @returns false where it runs, which leaves it as it is.
 * @throws where Temporal is out of reach.
 */
export function startUnlessRunning(
  client: Client,
  queues: TaskQueues,
  { workflowType, devMode, options, sleepsUntil }: Startable,
  nowMs: number,
): Promise<boolean> {
  const startDelay = startDelayMs({ sleepsUntil }, nowMs);
  return unlessStarted(
    client.workflow.start(workflowType, {
      ...options,
      taskQueue: taskQueueOf(queues, { workflowType, devMode }),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      ...(startDelay > 0 && { startDelay }),
    }),
  );
}

/**
 * Waits for a call that starts a workflow; that it has been started already is a success.
 * @returns false then.
 */
export async function unlessStarted(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
