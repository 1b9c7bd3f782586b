import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { SearchAttributePair, SignalDefinition } from '@temporalio/common';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { DebitEntity } from '../database/entities/debit.ts';
import { DeliveryEntity } from '../database/entities/delivery.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { ResendEntity } from '../database/entities/resend.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type {
  ChargeId,
  CheckoutId,
  DeliveryId,
  PayoutId,
  ResendId,
  StoreId,
  SubscriptionId,
} from '../domain/ids.ts';
import { endRunIfStuck } from './stuck-run.ts';
import { type TaskQueues, taskQueueOf } from './task-queues.ts';

/** The tables whose rows have a workflow each, and record when it was started. */
export const STARTED_TABLES = {
  charges: ChargeEntity,
  checkouts: CheckoutEntity,
  subscriptions: SubscriptionEntity,
  payouts: PayoutEntity,
  debits: DebitEntity,
  deliveries: DeliveryEntity,
  resends: ResendEntity,
} as const;

/** A past instant: a workflow without a start delay. */
export const AT_ONCE = new Date(0);

/** How any process can start the workflow of a committed row. */
export interface WorkflowStart {
  readonly table: keyof typeof STARTED_TABLES;
  readonly id: ChargeId | CheckoutId | SubscriptionId | PayoutId | DeliveryId | ResendId;
  readonly workflowType: string;
  readonly storeId: StoreId;
  /** Whether it belongs to a dev environment, whose runs have their own task queue. */
  readonly devMode: boolean;
  readonly options: Pick<
    WorkflowStartOptions,
    | 'workflowId'
    | 'args'
    | 'staticSummary'
    | 'staticDetails'
    | 'memo'
    | 'typedSearchAttributes'
    // Fairness among waiting tasks: each store, and each endpoint of webhooks, has its share. The server applies it
    // only if configured to (docs/operating.md).
    | 'priority'
  >;
  /** The start delay: the workflow has no work until then. An update or a signal wakes it earlier. */
  readonly sleepsUntil: Date;
  /** Whether it yields while other environments are busy, because its endpoint is crowded or it is late already. */
  readonly givesWay?: boolean;
}

/** The search attributes of everything with an amount; absent columns get none. */
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

/** The start delay in milliseconds; zero if the time has come. */
export function startDelayMs({ sleepsUntil }: Pick<WorkflowStart, 'sleepsUntil'>, nowMs: number): number {
  return Math.max(0, sleepsUntil.getTime() - nowMs);
}

/** What is needed to start a workflow. */
export type Startable = Pick<WorkflowStart, 'workflowType' | 'devMode' | 'options' | 'sleepsUntil'>;

/** How a workflow is started. */
export interface StartTerms {
  readonly nowMs: number;
  /**
   * Gives the first task directly to the worker that shares this client's connection, without a trip through the
   * task queue.
   */
  readonly isEager?: true;
  /** Whether a workflow that has ended may start again. */
  readonly mayRunAgain?: true;
}

/** Starts a workflow; succeeds if it was already started. @throws if Temporal is unavailable. */
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
 * The server's codes for an update whose workflow task was discarded, and for an update to a run that ended in the
 * meantime.
 */
const FAILED_PRECONDITION = 9;
const NOT_FOUND = 5;

/** The client's codes for a call that timed out. */
const DEADLINE_EXCEEDED = 4;
const CANCELLED = 1;

/** A run continues as new, or ends, once: a repeated call reaches its successor. */
const ASKED_AT_MOST = 5;

/**
 * Sends an idempotent update and repeats it if the server refuses it because the run was about to continue as new
 * or to end; nothing has changed then. If a stuck run does not answer, it is ended, so that the next update begins
 * another run.
 * @throws if Temporal is unavailable.
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

/** Whether the server accepted the call but no worker answered in time. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code === DEADLINE_EXCEEDED || cause.code === CANCELLED);
}

/**
 * Restarts a workflow that should be running, if it has ended or the server does not know it.
 * @returns false if it is running; it then stays unchanged.
 * @throws if Temporal is unavailable.
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
 * Signals to a workflow, and starts it if it does not run. A signal alone would not end a start delay.
 * @throws if Temporal is unavailable.
 */
export async function signalOrStart<Args extends unknown[]>(
  client: Client,
  queues: TaskQueues,
  { workflowType, devMode, options }: Startable,
  signal: SignalDefinition<Args>,
  signalArgs: Args,
): Promise<void> {
  // The SDK's types allow no generic arguments here.
  const message = { signal, signalArgs } as unknown as { signal: SignalDefinition; signalArgs: [] };
  await client.workflow.signalWithStart(workflowType, {
    ...options,
    args: options.args ?? [],
    taskQueue: taskQueueOf(queues, { workflowType, devMode }),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    ...message,
  });
}

/**
 * Awaits a call that starts a workflow; succeeds if it was already started.
 * @returns false in that case.
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
