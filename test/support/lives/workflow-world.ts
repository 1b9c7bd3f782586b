import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { activityClock } from '../../../activities/activity-clock.ts';
import { announceDue } from '../../../activities/announcements/announce-due.ts';
import { type Activities, createActivities } from '../../../activities/index.ts';
import { createStore } from '../../../src/cli/stores.ts';
import type { DeliveryToStart } from '../../../src/database/entities/delivery.ts';
import type { Database } from '../../../src/database/orm.ts';
import { storeTimeOf } from '../../../src/database/store-clock.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { Intake } from '../../../src/notifications/intake.ts';
import { takeListed } from '../../../src/notifications/take-listed.ts';
import { createDispatcher } from '../../../src/outbound/guarded-dispatcher.ts';
import { audit } from '../../../src/temporal/audit/audit.ts';
import { closedRuns } from '../../../src/temporal/audit/closed-runs.ts';
import { ChargeUpdates } from '../../../src/temporal/charge.ts';
import { CheckoutUpdates } from '../../../src/temporal/checkout.ts';
import { advanceClock } from '../../../src/temporal/clock/advance.ts';
import { ClockTurns } from '../../../src/temporal/clock/clock-turns.ts';
import { deliveryWorkflowStart, resendDelivery } from '../../../src/temporal/delivery.ts';
import { SettlementStarts } from '../../../src/temporal/settlement.ts';
import { SubscriptionUpdates } from '../../../src/temporal/subscription.ts';
import { startOnce } from '../../../src/temporal/workflow-start.ts';
import { NO_STARTER } from '../api/no-starter.ts';
import { MisbehavingProvider } from '../outside/misbehaving-provider.ts';
import { onlyInDevelopment } from '../outside/providers.ts';
import type { Weather } from '../outside/weather.ts';
import { createTestDatabase } from '../rows/database.ts';
import { SILENT_LOG, silenceTemporal } from '../servers/silent-temporal.ts';
import { createTimeSkippingEnvironment } from '../servers/temporal-servers.ts';
import { activityDeps } from './activity-deps.ts';
import { beginWorkers, type Workers } from './workers.ts';
import { serviceWorkflows } from './workflow-bundle.ts';

/** Who histories say they were made by; the default would name the machine. */
const IDENTITY = 'test';

/**
 * What workflow tests run in: a worker with the real workflows and activities, a database, a provider to
 * misbehave.
 */
export interface WorkflowWorld {
  readonly environment: TestWorkflowEnvironment;
  /** On a time-skipping server, awaiting a result through this client makes time jump. */
  readonly client: Client;
  readonly taskQueue: string;
  readonly database: Database;
  readonly storeId: StoreId;
  readonly provider: MisbehavingProvider;
  /** The activities that the worker runs, to be called without it. */
  readonly activities: Activities;
  /** The server's time, which is the workflows' time; that of the store where its clock was moved. */
  now(): Promise<Date>;
  startDelivery(delivery: DeliveryToStart): Promise<void>;
  readonly workers: Pick<Workers, 'isAtRest' | 'without'>;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Default: a time-skipping server of its own. Either way the world ends it. */
  readonly environment?: TestWorkflowEnvironment;
  readonly taskQueue?: string;
  readonly bundle?: WorkflowBundleOption;
  /** Rows and provider that were there before, as after Temporal has lost its data. Whoever gives them ends them. */
  readonly before?: Pick<WorkflowWorld, 'database' | 'storeId' | 'provider'>;
  /** Default: as many as a worker of the service. */
  readonly concurrentActivities?: number;
  /** Stands between activities and what they need. */
  readonly weather?: Weather;
  /** Set where workers are away for long: they work with the server's clock then. */
  readonly mayBeAway?: boolean;
  /** Set for runs that go on as they were begun before any patch (workflows/versions.ts). */
  readonly withoutPatches?: boolean;
}

/** Makes a world; it takes seconds, so a test file has one. */
export async function createWorkflowWorld(options: WorldOptions = {}): Promise<WorkflowWorld> {
  silenceTemporal();
  const { taskQueue = 'test' } = options;
  const environment = options.environment ?? (await createTimeSkippingEnvironment());
  const now = new Date(await environment.currentTimeMs());
  const { database, storeId, provider, drop } = options.before
    ? { ...options.before, drop: async () => {} }
    : await newRows(now);
  const webhooks = createDispatcher({ allowPrivateEndpoints: true });
  const native = new Client({ connection: environment.nativeConnection, identity: IDENTITY });
  const start = (delivery: DeliveryToStart) =>
    startOnce(native, taskQueue, deliveryWorkflowStart(delivery), { nowMs: Date.now(), isEager: true });
  const chargeUpdates = new ChargeUpdates(native, taskQueue, NO_STARTER);
  const checkoutUpdates = new CheckoutUpdates(native, taskQueue, NO_STARTER);
  const subscriptionUpdates = new SubscriptionUpdates(native, taskQueue, NO_STARTER);
  const settlementStarts = new SettlementStarts(native, taskQueue);
  const { weather } = options;
  const providers = onlyInDevelopment(provider);
  const intake = new Intake(database, chargeUpdates);
  const turns = new ClockTurns();
  const inFairWeather = activityDeps({
    database,
    providers,
    takeListed: (at, isOver) =>
      takeListed({ client: native, database, providers, intake, log: SILENT_LOG }, at, isOver),
    dispatcher: webhooks.dispatcher,
    startDelivery: start,
    resendDelivery: (delivery) => resendDelivery(native, taskQueue, delivery),
    startAttempt: (charge, subscriptionId, now) => chargeUpdates.startAttempt(charge, subscriptionId, now),
    cancelCharge: (charge) => chargeUpdates.cancel(charge, null),
    tellCheckout: (checkout, accepted, reopens) =>
      checkoutUpdates.paymentAccepted(checkout, accepted, reopens),
    startSubscription: async (subscription) =>
      subscriptionUpdates.start(subscription, await environment.currentTimeMs()),
    tellSubscription: (id, ended) => subscriptionUpdates.chargeEnded(id, ended),
    startSettlement: async (owner, settlesAt) =>
      settlementStarts.start(owner, settlesAt, await environment.currentTimeMs()),
    chargeOutcome: (chargeId) => chargeUpdates.outcome(chargeId),
    advanceClock: (storeId, isOver) => advanceClock({ ...wakeDeps, turns }, storeId, isOver),
    audit: (input, isOver) =>
      audit(
        {
          client: native,
          taskQueue,
          database,
          chargeUpdates,
          closedRuns: (since) => closedRuns(native, taskQueue, since),
          log: SILENT_LOG,
        },
        input,
        isOver,
      ),
  });
  const wakeDeps = {
    client: native,
    taskQueue,
    database,
    chargeUpdates,
    announce: (owner: StoreId, at: Date) =>
      announceDue(inFairWeather, { now: at, owner: { storeId: owner, devMode: true } }),
    log: SILENT_LOG,
  };
  const activities = createActivities(weather?.over(inFairWeather) ?? inFairWeather);
  const workers = await beginWorkers(
    environment,
    {
      identity: IDENTITY,
      taskQueue,
      workflowBundle: options.bundle ?? (await serviceWorkflows()),
      activities,
      interceptors: {
        activity: [
          ...(weather ? [weather.interceptor] : []),
          activityClock(database, options.mayBeAway ? () => environment.currentTimeMs() : undefined),
        ],
      },
      maxConcurrentActivityTaskExecutions: options.concurrentActivities ?? 400,
      // Each patch that is asked for would wait for the main thread to answer.
      ...(options.withoutPatches && { patchActivationCallback: () => false }),
    },
    options.mayBeAway === true,
  );
  return {
    environment,
    client: environment.client,
    taskQueue,
    database,
    storeId,
    provider,
    activities,
    now: async () =>
      storeTimeOf(database, { storeId, devMode: true }, new Date(await environment.currentTimeMs())),
    startDelivery: start,
    workers,
    async close() {
      await workers.end();
      await webhooks.close();
      await environment.teardown();
      await drop();
    },
  };
}

async function newRows(now: Date) {
  const { database, drop } = await createTestDatabase();
  const store = { name: 'Loja Teste', city: 'SAO PAULO' };
  const { id: storeId } = await createStore(database.em.fork(), store, now);
  return { database, storeId, provider: new MisbehavingProvider(), drop };
}
