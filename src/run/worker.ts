import { type NativeConnection, Worker } from '@temporalio/worker';
import { activityClock } from '../../activities/activity-clock.ts';
import { activityFailures } from '../../activities/failures.ts';
import { createActivities } from '../../activities/index.ts';
import type { Config } from '../config.ts';
import { createDispatcher } from '../outbound/guarded-dispatcher.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';
import { audit } from '../temporal/audit/audit.ts';
import { closedRuns } from '../temporal/audit/closed-runs.ts';
import { startDelivery } from '../temporal/delivery.ts';
import { KeptSchedule } from '../temporal/kept-schedule.ts';
import { auditorSchedule, retentionSchedule } from '../temporal/schedules.ts';
import { Sweeper } from '../temporal/sweeper.ts';
import { USER_AGENT } from '../version.ts';
import type { Parts } from './parts.ts';
import { workflowsFrom } from './workflow-bundle.ts';

/** Runs kept in memory between their tasks: a delivery between two attempts, a charge past its due date. */
const CACHED_WORKFLOWS = 1_000;
/** Webhook attempts are waiting sockets, each up to 30 s; EndpointLanes shares them out among endpoints. */
const CONCURRENT_ACTIVITIES = 400;
/**
 * Tasks and local activities at once. Both mostly wait for Postgres or an endpoint, and a task is held while
 * its local activity runs, so the SDK's defaults (40 and 100) would leave the processor idle.
 */
const CONCURRENT_WORKFLOW_TASKS = 200;
const CONCURRENT_LOCAL_ACTIVITIES = 200;
/**
 * Requests for tasks that wait at the server. A task that finds none waiting is written to the server's disk
 * and read again: with the SDK's default of 10 that befell two tasks of three (docs/performance.md).
 */
const WORKFLOW_TASK_POLLS = 40;
/** What runs may end in good order; what then still runs is ended, and repeated by another worker. */
const SHUTDOWN_GRACE_MS = 10_000;
const SHUTDOWN_FORCE_MS = 15_000;

export interface RunningWorker {
  /** Resolves when the worker has stopped, rejects where it failed. */
  readonly ended: Promise<void>;
  /** Finishes what is running and stops. */
  stop(): Promise<void>;
}

/** Runs workflows and activities, sends webhooks and sweeps, until stopped. */
export async function runWorker(
  parts: Parts,
  connection: NativeConnection,
  config: Config,
  publicUrl: string,
): Promise<RunningWorker> {
  const { namespace, taskQueue } = config.temporal;
  const webhooks = createDispatcher({ allowPrivateEndpoints: config.allowPrivateEndpoints });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    ...workflowsFrom(config.workflowBundle),
    activities: createActivities({
      database: parts.database,
      providers: parts.providers,
      publicUrl,
      startDelivery: (delivery) => startDelivery(parts.client, taskQueue, delivery),
      startAttempt: (charge, subscriptionId, now) =>
        parts.chargeUpdates.startAttempt(charge, subscriptionId, now),
      cancelCharge: (charge) => parts.chargeUpdates.cancel(charge, null),
      tellCheckout: (checkout, accepted, reopens) =>
        parts.checkoutUpdates.paymentAccepted(checkout, accepted, reopens),
      startSubscription: (subscription) => parts.subscriptionUpdates.start(subscription),
      tellSubscription: (id, ended) => parts.subscriptionUpdates.chargeEnded(id, ended),
      startSettlement: (owner, settlesAt) => parts.settlementStarts.start(owner, settlesAt),
      chargeOutcome: (chargeId) => parts.chargeUpdates.outcome(chargeId),
      audit: (input, isOver) =>
        audit(
          { ...parts, taskQueue, closedRuns: (since) => closedRuns(parts.client, taskQueue, since) },
          input,
          isOver,
        ),
      eventRetentionDays: config.eventRetentionDays,
      platformFee: config.platformFee,
      dispatcher: webhooks.dispatcher,
      userAgent: USER_AGENT,
      webhookCompatibilityKey: config.webhookCompatibilityKey,
      secretsKeys: new SecretsKeys(config.secretsKeys),
      log: parts.log,
    }),
    interceptors: { activity: [activityFailures(parts.log), activityClock()] },
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: CONCURRENT_ACTIVITIES,
    maxConcurrentWorkflowTaskExecutions: CONCURRENT_WORKFLOW_TASKS,
    maxConcurrentLocalActivityExecutions: CONCURRENT_LOCAL_ACTIVITIES,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: WORKFLOW_TASK_POLLS },
    shutdownGraceTime: SHUTDOWN_GRACE_MS,
    shutdownForceTime: SHUTDOWN_FORCE_MS,
  });
  const sweeper = new Sweeper({ ...parts, notices: [parts.sandboxPayments, parts.sandboxDisputes] });
  sweeper.start();
  const schedules = [auditorSchedule(taskQueue), retentionSchedule(taskQueue)].map(
    (scheduled) => new KeptSchedule(parts.client, taskQueue, scheduled, parts.log),
  );
  for (const schedule of schedules) schedule.start();
  const ended = worker.run();
  return {
    ended,
    stop: async () => {
      await Promise.all([sweeper, ...schedules].map((each) => each.close()));
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await webhooks.close();
    },
  };
}
