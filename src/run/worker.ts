import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { activityClock } from '../../activities/activity-clock.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { activityFailures } from '../../activities/failures.ts';
import { type Activities, createActivities } from '../../activities/index.ts';
import { type AdvanceDeps, advanceClock } from '../clock/advance.ts';
import { ClockScheduler } from '../clock/clock-scheduler.ts';
import { ClockKeeper } from '../clock/keep-clocks.ts';
import { noteWork } from '../clock/note-work.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/orm.ts';
import { InvoiceIssuer } from '../invoices/invoice-issuer.ts';
import { ConsentMailer } from '../mail/consent-mailer.ts';
import { InvitationMailer } from '../mail/invitation-mailer.ts';
import { InvoiceMailer } from '../mail/invoice-mailer.ts';
import type { Mailer } from '../mail/mailer.ts';
import { NoticeMailer } from '../mail/notice-mailer.ts';
import { PayerCodeMailer } from '../mail/payer-code-mailer.ts';
import { ReceiptMailer } from '../mail/receipt-mailer.ts';
import { ReminderMailer } from '../mail/reminder-mailer.ts';
import { SubscriptionReminderMailer } from '../mail/subscription-reminder-mailer.ts';
import { requestDueConsents } from '../mandates/consent/request-due-consents.ts';
import { followOfSubscription } from '../mandates/follow-mandate.ts';
import { followMandates } from '../mandates/follow-mandates.ts';
import { planDebits } from '../mandates/plan-debits.ts';
import { takeListed } from '../notifications/take-listed.ts';
import { takeSent } from '../notifications/take-sent.ts';
import { createDispatcher, createLoopbackDispatcher } from '../outbound/guarded-dispatcher.ts';
import { audit } from '../recovery/audit.ts';
import { closedRuns } from '../recovery/closed-runs.ts';
import { replaceOldRuns } from '../recovery/generation/replace-runs.ts';
import { Sweeper } from '../recovery/sweeper.ts';
import { writeReminders } from '../reminders/reminder-round.ts';
import { announceDue } from '../subscriptions/announce-due.ts';
import { type BusyEnvironments, restMsAfter } from '../temporal/busy-environments.ts';
import { resendDelivery } from '../temporal/delivery.ts';
import { KeptSchedule } from '../temporal/kept-schedule.ts';
import {
  announcerSchedule,
  auditorSchedule,
  reconciliationSchedule,
  retentionSchedule,
} from '../temporal/schedules.ts';
import { QUEUE_NAMES, type QueueName, taskQueuesOf } from '../temporal/task-queues.ts';
import type { Tracing } from '../tracing/start-tracing.ts';
import { USER_AGENT } from '../version.ts';
import { mandateEffects } from './mandate-effects.ts';
import type { Parts } from './parts.ts';
import { workflowsFrom } from './workflow-bundle.ts';

/**
 * A worker's parallel work per queue, and its number of pollers.
 *
 * Tasks and local activities mostly wait for Postgres or an endpoint, and a task is held while its local
 * activity runs, so the SDK's defaults (40 and 100) would leave the processor idle. A task without a waiting
 * poller is written to the server's disk and read again. With the SDK's default of 10 pollers, that happened
 * to two tasks of three (docs/performance.md). Webhook attempts are waiting sockets, each up to 30 s;
 * EndpointQueues shares them among endpoints. Waiting runs are cached in memory between tasks, such as a
 * delivery between two attempts.
 */
const ROOM: Readonly<Record<QueueName, Room>> = {
  payments: { tasks: 200, activities: 100, polls: 40, cachedRuns: 600 },
  billing: { tasks: 100, activities: 100, polls: 40, cachedRuns: 200 },
  deliveries: { tasks: 200, activities: 400, polls: 40, cachedRuns: 400 },
  dev: { tasks: 200, activities: 100, polls: 40, cachedRuns: 600 },
};

interface Room {
  /** Workflow tasks, and the same number of local activities. */
  readonly tasks: number;
  readonly activities: number;
  readonly polls: number;
  readonly cachedRuns: number;
}

/** Time for running work to finish. Remaining work is then cancelled, and another worker repeats it. */
const SHUTDOWN_GRACE_MS = 10_000;
const SHUTDOWN_FORCE_MS = 15_000;

export interface RunningWorker {
  /** Resolves when the worker has stopped, rejects if it failed. */
  readonly ended: Promise<void>;
  /** Finishes running work, then stops. */
  stop(): Promise<void>;
}

/** Runs workflows and activities, sends webhooks and sweeps, until stopped. */
export async function runWorker(
  parts: Parts,
  connection: NativeConnection,
  config: Config,
  publicUrl: string,
  queues: readonly QueueName[] = QUEUE_NAMES,
  tracing: Tracing | null = null,
): Promise<RunningWorker> {
  const taskQueues = taskQueuesOf(config.temporal.taskQueue);
  const webhooks = createDispatcher({ allowPrivateEndpoints: config.allowPrivateEndpoints });
  const loopback = config.allowLoopbackEndpoints ? createLoopbackDispatcher() : null;
  const turns = new ClockScheduler();
  const activityDeps: ActivityDeps = {
    database: parts.database,
    providers: parts.providers,
    publicUrl,
    ...mandateEffects(parts),
    resendDelivery: (delivery) => resendDelivery(parts.client, taskQueues.deliveries, delivery),
    notifyCheckout: (checkout, accepted, reopens) =>
      parts.checkoutUpdates.paymentAccepted(checkout, accepted, reopens),
    startSubscription: async (subscription) => {
      await parts.subscriptionUpdates.start(subscription);
      await followOfSubscription(activityDeps, subscription);
      const { id: only, consentDueAt } = subscription;
      if (consentDueAt !== null) await requestDueConsents(activityDeps, { now: consentDueAt, only });
    },
    notifySubscription: (id, ended) => parts.subscriptionUpdates.chargeEnded(id, ended),
    startSettlement: (owner, settlesAt) => parts.settlementStarts.start(owner, settlesAt),
    audit: (input, isOver) =>
      audit(
        {
          ...parts,
          taskQueue: taskQueues,
          closedRuns: (since) => closedRuns(parts.client, taskQueues, since),
        },
        input,
        isOver,
      ),
    takeListed: async (now, isOver) => ({
      ...(await takeListed(parts, now, isOver)),
      ...(await takeSent({ ...parts, publicUrl }, now, isOver)),
    }),
    advanceClock: (storeId, isOver) => advanceClock(wakeDeps, storeId, isOver),
    sendsMail: config.mail !== null,
    eventRetentionDays: config.eventRetentionDays,
    platformFee: config.platformFee,
    dispatcher: webhooks.dispatcher,
    loopbackDispatcher: loopback?.dispatcher ?? null,
    userAgent: USER_AGENT,
    endpoints: parts.endpoints,
    webhookCompatibilityKey: config.webhookCompatibilityKey,
    secretsKeys: parts.secretsKeys,
    log: parts.log,
  };
  const { mail } = config;
  const restMs = (tookMs: number) => (parts.busy.any() ? restMsAfter(tookMs) : 0);
  const mailersOf = (kinds: readonly MailerKind[]): readonly Mailer[] =>
    mail === null ? [] : kinds.map((Kind) => new Kind(parts.database, publicUrl, mail, parts.log, restMs));
  const reminderMailers = mailersOf([ReminderMailer, SubscriptionReminderMailer]);
  const wakeDeps: AdvanceDeps = {
    ...parts,
    taskQueue: taskQueues,
    turns,
    announce: async (storeId, now, isOver) => {
      const round = { now, owner: { storeId, devMode: true }, isOver };
      await announceDue(activityDeps, round);
      await requestDueConsents(activityDeps, round);
      await followMandates(activityDeps, now, isOver, storeId);
      await planDebits(activityDeps, round);
    },
    remind: (storeId, now, isOver) =>
      writeReminders(activityDeps, { now, owner: { storeId, devMode: true }, isOver }),
    sendReminders: () => Promise.all(reminderMailers.map((mailer) => mailer.sendForSomeTime(new Date()))),
  };
  const activities = createActivities(activityDeps);
  await replaceOldRuns({ ...parts, taskQueue: taskQueues });
  const workflowBundle = await workflowsFrom(config.workflowBundle, tracing !== null);
  const workers = await Promise.all(
    queues.map((name) =>
      createWorker(connection, config, {
        name,
        taskQueue: taskQueues[name],
        workflowBundle,
        activities,
        database: parts.database,
        turns,
        busy: parts.busy,
        log: parts.log,
        tracing,
      }),
    ),
  );
  const clocks = new ClockKeeper(wakeDeps, parts.clockRuns);
  const sweeper = new Sweeper({ ...parts, clocks, notices: [parts.sandboxPayments, parts.sandboxDisputes] });
  sweeper.start();
  const issuer = new InvoiceIssuer(activityDeps);
  issuer.start();
  const mailers: readonly Mailer[] = [
    ...mailersOf([
      ReceiptMailer,
      InvoiceMailer,
      ConsentMailer,
      InvitationMailer,
      NoticeMailer,
      PayerCodeMailer,
    ]),
    ...reminderMailers,
  ];
  for (const mailer of mailers) mailer.start();
  const { payments } = taskQueues;
  const schedules = [announcerSchedule, auditorSchedule, retentionSchedule, reconciliationSchedule].map(
    (schedule) => new KeptSchedule(parts.client, payments, schedule(payments), parts.log),
  );
  for (const schedule of schedules) schedule.start();
  const ended = Promise.all(workers.map((worker) => worker.run()));
  return {
    ended: ended.then(() => undefined),
    stop: async () => {
      await Promise.all([sweeper, issuer, ...mailers, ...schedules].map((each) => each.close()));
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
      await Promise.all([webhooks.close(), loopback?.close()]);
    },
  };
}

function createWorker(
  connection: NativeConnection,
  config: Config,
  { name, taskQueue, workflowBundle, activities, database, turns, busy, log, tracing }: WorkerOf,
): Promise<Worker> {
  const { tasks, activities: atOnce, polls, cachedRuns } = ROOM[name];
  return Worker.create({
    connection,
    namespace: config.temporal.namespace,
    taskQueue,
    workflowBundle,
    activities,
    ...versioningOf(config.temporal),
    interceptors: {
      // Traces contain no more about a failure than the history does.
      activity: [
        ...(tracing === null ? [] : [tracing.activity]),
        activityFailures(log),
        activityClock(database),
        noteWork((owner) => {
          turns.noteWork(owner);
          busy.note(owner === 'production' ? 'production' : { storeId: owner, devMode: true });
        }),
      ],
    },
    maxCachedWorkflows: cachedRuns,
    maxConcurrentActivityTaskExecutions: atOnce,
    maxConcurrentWorkflowTaskExecutions: tasks,
    maxConcurrentLocalActivityExecutions: tasks,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: polls },
    shutdownGraceTime: SHUTDOWN_GRACE_MS,
    shutdownForceTime: SHUTDOWN_FORCE_MS,
  });
}

/**
 * All queues share one deployment, so that one command moves them. Each run continues on the current build,
 * because runs outlive many builds (docs/decisions/0018).
 */
function versioningOf({
  taskQueue,
  workerBuildId,
}: Config['temporal']): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (workerBuildId === null) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: taskQueue, buildId: workerBuildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

type MailerKind = new (...given: ConstructorParameters<typeof ReceiptMailer>) => Mailer;

interface WorkerOf {
  readonly name: QueueName;
  readonly taskQueue: string;
  readonly workflowBundle: WorkflowBundleOption;
  readonly activities: Activities;
  readonly database: Database;
  readonly turns: ClockScheduler;
  readonly busy: BusyEnvironments;
  readonly log: Logger;
  readonly tracing: Tracing | null;
}
