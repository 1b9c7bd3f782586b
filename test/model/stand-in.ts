import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { MarkedStatus } from '../../activities/charges.ts';
import { createActivities } from '../../activities/index.ts';
import { EventStreams } from '../../src/api/events/event-streams.ts';
import type { AppDeps } from '../../src/api/frame/deps.ts';
import { ReadsBesideOthers } from '../../src/api/limits/reads-beside-others.ts';
import { requestListener } from '../../src/app.ts';
import { issueKey } from '../../src/cli/keys.ts';
import { createStore } from '../../src/cli/stores.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, PayoutId } from '../../src/domain/ids.ts';
import { PERMISSIONS } from '../../src/domain/permission.ts';
import type { StoreEnvironment } from '../../src/domain/store-environment.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { SandboxDisputeNotices } from '../../src/notifications/sandbox-dispute-notices.ts';
import { SandboxPayments } from '../../src/notifications/sandbox-payments.ts';
import { createDispatcher } from '../../src/outbound/guarded-dispatcher.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../../src/providers/sandbox/sandbox-disputes.ts';
import { sandboxMandates } from '../../src/providers/sandbox/sandbox-mandates.ts';
import { createSandboxProvider } from '../../src/providers/sandbox/sandbox-provider.ts';
import { SandboxTransfers } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { createApiServer } from '../../src/run/api-server.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { BusyEnvironments } from '../../src/temporal/busy-environments.ts';
import type { ChargeUpdates } from '../../src/temporal/charge.ts';
import type { WorkflowStart } from '../../src/temporal/workflow-start.ts';
import type { ChargeInput } from '../../workflows/charge.contract.ts';
import { ApiClient } from '../support/api/api-client.ts';
import { activityDeps } from '../support/fixtures/activity-deps.ts';
import { plainStatus } from '../support/fixtures/plain-status.ts';
import { onlyInDevelopment } from '../support/outside/providers.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { BEGINNING_MS } from './money.model.ts';
import type { MoneyService } from './money-service.ts';

/**
 * Between two tries of an activity that asked to be tried again, and how many there may be: seconds, far more
 * than needed.
 */
const RETRY_MS = 2;
const MAX_TRIES = 2_000;

/** What a charge may ask of its workflow. */
type Updates = Pick<
  ChargeUpdates,
  'confirmPayment' | 'askProviderNow' | 'lookUpPayment' | 'cancel' | 'authorize' | 'refund' | 'confirmDispute'
>;

interface Due {
  readonly atMs: number;
  readonly run: () => Promise<unknown>;
}

/** The service without Temporal, one at a time per store: see {@link startStandIn}. */
export interface StandIn {
  /** A store with books of its own, at the beginning of time. */
  newStore(): Promise<MoneyService>;
  close(): Promise<void>;
}

/**
 * The real API over HTTP, and the real activities on a real database, but in place of Temporal a few lines
 * that call the activities in the order in which the workflows `charge`, `payout` and `settlement` call them,
 * by a clock that the test moves. Thousands of sequences can so be run. One store at a time uses one of
 * these: they share its clock.
 */
export async function startStandIn(database: Database): Promise<StandIn> {
  const config = { ...loadConfig({ DATABASE_URL: 'postgres://unused' }), allowPrivateEndpoints: true };
  const clock = { nowMs: BEGINNING_MS };
  const now = () => new Date(clock.nowMs);
  let due: Due[] = [];
  let payouts: PayoutId[] = [];
  /** Charges whose run waits for its deadline. */
  const closing = new Map<ChargeId, number>();

  const server = createApiServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { dispatcher, close } = createDispatcher({ allowPrivateEndpoints: true });
  const bank = new SandboxBank(database);
  const disputes = new SandboxDisputes(database);
  const provider = createSandboxProvider(
    bank,
    disputes,
    new SandboxTransfers(database),
    sandboxMandates(database, bank),
  );
  const providers = onlyInDevelopment(provider);

  const activityParts = activityDeps({
    database,
    providers,
    publicUrl,
    dispatcher,
    platformFee: config.platformFee,
    startDelivery: async () => {},
    cancelCharge: (charge) => updates.cancel(charge, null),
    startSettlement: async ({ storeId, devMode }: StoreEnvironment, settlesAt: Date) => {
      const run = () => activities.settleCharges({ storeId, devMode, nowMs: clock.nowMs });
      if (settlesAt.getTime() > clock.nowMs) due.push({ atMs: settlesAt.getTime(), run });
      else await run();
    },
    notifyCheckout: async ({ id }, { othersOpen }) => {
      if (othersOpen) await activities.closeCharges({ checkoutId: id });
    },
  });
  const activities = createActivities(activityParts);

  /**
   * Runs one activity of a charge as its workflow does: until it succeeds, and asleep no more once it has
   * ended the charge.
   */
  const transition = async (
    chargeId: ChargeId,
    activity: (input: { chargeId: ChargeId; nowMs: number }) => Promise<ChargeStatus | MarkedStatus>,
  ) => {
    const status = await retried(() => plainStatus(activity({ chargeId, nowMs: clock.nowMs })));
    if (status !== 'PENDING') closing.delete(chargeId);
    return status;
  };
  const updates: Updates = {
    confirmPayment: ({ id }, providerPaymentId) =>
      transition(id, (input) => activities.recordPayment({ ...input, providerPaymentId })),
    // No run waits here: every update is complete when it is answered.
    askProviderNow: async () => {},
    lookUpPayment: async () => {},
    cancel: ({ id }) => transition(id, activities.cancelCharge),
    authorize: ({ id }) => transition(id, activities.authorizeCharge),
    refund: ({ id }, refundId) => transition(id, (input) => activities.refundCharge({ ...input, refundId })),
    confirmDispute: ({ id }, providerDisputeId) =>
      transition(id, (input) => activities.recordDispute({ ...input, providerDisputeId })),
  };

  const startSoon = ({ table, id, options }: WorkflowStart) => {
    if (table === 'payouts') payouts.push(id as PayoutId);
    if (table !== 'charges') return;
    const [{ closesAtMs }] = options.args as [ChargeInput];
    closing.set(id as ChargeId, closesAtMs);
  };

  const intake = new Intake(database, updates);
  const busy = new BusyEnvironments();
  const deps: AppDeps = {
    config,
    database,
    providers,
    providerKinds: {},
    publicUrl,
    notificationsUrl: publicUrl,
    dispatcher,
    // It only bounds the time of calls.
    temporal: {
      withDeadline: <Result>(_: number, call: () => Promise<Result>) => call(),
      withAbortSignal: <Result>(_: AbortSignal, call: () => Promise<Result>) => call(),
    } as unknown as Client,
    paymentsUnderWay: { isProgressing: () => false, turnOfCreate: async () => undefined },
    busy,
    starter: { startSoon },
    chargeUpdates: updates,
    intake,
    checkoutUpdates: { cancel: () => Promise.reject(new Error('no checkout is cancelled here')) },
    subscriptionUpdates: {
      attemptNow: () => Promise.reject(new Error('there are no subscriptions here')),
      cancel: () => Promise.reject(new Error('there are no subscriptions here')),
      scheduleCancellation: () => Promise.reject(new Error('there are no subscriptions here')),
      pause: () => Promise.reject(new Error('there are no subscriptions here')),
      changeTrial: () => Promise.reject(new Error('there are no subscriptions here')),
      pay: () => Promise.reject(new Error('there are no subscriptions here')),
      resume: () => Promise.reject(new Error('there are no subscriptions here')),
      changePlan: () => Promise.reject(new Error('there are no subscriptions here')),
    },
    clockRuns: { beginSoon: () => {} },
    sandboxPayments: new SandboxPayments(bank, intake, SILENT_LOG),
    sandboxDisputes: new SandboxDisputeNotices(disputes, intake, SILENT_LOG),
    sandboxPayers: { answer: () => Promise.reject(new Error('no payer answers here')) },
    wakeDebit: () => undefined,
    followMandate: () => Promise.reject(new Error('no mandate is followed here')),
    sandboxCards: { replace: () => Promise.reject(new Error('no card is replaced here')) },
    clock: now,
    log: SILENT_LOG,
    eventStreams: new EventStreams(database, SILENT_LOG, new ReadsBesideOthers(busy)),
    secretsKeys: new SecretsKeys([]),
    resendDelivery: async () => {},
  };
  server.on('request', requestListener(deps));

  const time = {
    async wait(ms: number) {
      clock.nowMs += ms;
      const isDue = (atMs: number) => atMs <= clock.nowMs;
      const settling = due.filter(({ atMs }) => isDue(atMs));
      due = due.filter(({ atMs }) => !isDue(atMs));
      const expiring = [...closing].filter(([, atMs]) => isDue(atMs)).map(([chargeId]) => chargeId);
      await Promise.all([
        ...settling.map(({ run }) => retried(run)),
        ...expiring.map((chargeId) => transition(chargeId, activities.expireCharge)),
      ]);
    },
    async finishPayouts() {
      const started = payouts;
      payouts = [];
      await Promise.all(
        started.map((payoutId) => activities.advancePayout({ payoutId, nowMs: clock.nowMs })),
      );
    },
  };

  return {
    async newStore() {
      clock.nowMs = BEGINNING_MS;
      due = [];
      payouts = [];
      closing.clear();
      const em = database.em.fork();
      const { id: storeId } = await createStore(em, { name: 'Loja Modelo', city: 'SAO PAULO' }, now());
      const key = { storeId, devMode: true, permissions: PERMISSIONS, description: 'model' };
      const { keyText } = await issueKey(em, key, now());
      return { storeId, database, api: new ApiClient(publicUrl, keyText), time };
    },
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await close();
    },
  };
}

/**
 * As Temporal does with what an activity says may be tried again; anything else is a fault and fails the
 * test.
 */
async function retried<Result>(activity: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await activity();
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.nonRetryable || tries === MAX_TRIES) throw error;
      await sleep(RETRY_MS);
    }
  }
}
