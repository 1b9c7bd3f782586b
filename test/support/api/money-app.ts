import { randomBytes } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { ShownBalance } from '../../../src/api/balance/balance-fields.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { payoutReservedAmounts } from '../../../src/domain/ledger.ts';
import { mintId } from '../../../src/ids.ts';
import { writeMovement } from '../../../src/ledger/write-movement.ts';
import type { Providers } from '../../../src/providers/providers.ts';
import { type RunningWorker, runWorker } from '../../../src/run/worker.ts';
import { PatientClient } from '../fixtures/patient-client.ts';
import { bundleOfRun } from '../fixtures/workflow-bundle.ts';
import { runWorkflowsHere } from '../fixtures/workflows-here.ts';
import { connectToRealServer } from '../servers/temporal-servers.ts';
import { type ApiClient, dataOf } from './api-client.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from './app.ts';

/**
 * The whole service in one process, over HTTP and with the sandbox bank: what is created can be paid,
 * refunded, disputed and paid out. Its worker is the service's own, on the run's real Temporal server, whose
 * clock nobody moves, unless another one is given.
 */
export interface MoneyApp extends TestApp {
  readonly temporal: PatientClient;
  readonly taskQueue: string;
  /** A store of its own, with a dev-mode key that holds every permission. */
  anotherStore(): Promise<{ readonly storeId: StoreId; readonly api: ApiClient }>;
  /** The same key at an API that has the same database but reaches no Temporal server. */
  readonly apiWithoutTemporal: ApiClient;
  /** Stops the worker but not Temporal. */
  stopWorker(): Promise<void>;
  /** Starts a worker after {@link stopWorker}. */
  startWorker(): Promise<void>;
}

export interface MoneyAppOptions {
  /** Default: the run's real server. Either way the app ends it. */
  readonly environment?: TestWorkflowEnvironment;
  /** Default: a database of the app's own. The caller closes a given one. */
  readonly database?: Database;
  /** Of the worker and its API. */
  readonly config?: Partial<Config>;
  /** Default: none, and so no accounts at banks. */
  readonly secretsKeys?: readonly string[];
  /** Replaces its providers, such as the sandbox of some stores by a bank in a box. */
  readonly providers?: (usual: Providers) => Providers;
}

/**
 * Makes one; it takes seconds, so a test file has one, and each test that looks at balances takes
 * {@link MoneyApp.anotherStore}.
 */
export async function createMoneyApp(options: MoneyAppOptions = {}): Promise<MoneyApp> {
  await using cleanup = new AsyncDisposableStack();
  const environment = options.environment ?? (await connectToRealServer());
  if (options.environment === undefined) runWorkflowsHere();
  cleanup.defer(() => environment.teardown());
  const taskQueue = `money-${randomBytes(6).toString('hex')}`;
  const temporal = new PatientClient({ connection: environment.nativeConnection, identity: 'test' });
  const app = await createTestApp(
    { config: { ...TEST_CONFIG, ...options.config } },
    {
      temporal: { client: temporal, taskQueue },
      secretsKeys: options.secretsKeys ?? [],
      ...(options.database !== undefined && { database: options.database }),
      ...(options.providers !== undefined && { providers: options.providers }),
    },
  );
  cleanup.defer(() => app.close());
  const withoutTemporal = await createTestApp({}, { database: app.database });
  cleanup.defer(() => withoutTemporal.close());
  const defaults = loadConfig({ DATABASE_URL: 'postgres://unused' });
  const config = {
    ...defaults,
    ...TEST_CONFIG,
    ...options.config,
    temporal: { ...defaults.temporal, taskQueue },
    workflowBundle: bundleOfRun(),
  };
  let worker: RunningWorker | null = null;
  const { patienceMs } = temporal;
  const startWorker = async () => {
    temporal.patienceMs = patienceMs;
    worker = await runWorker(app.parts, environment.nativeConnection, config, app.api.url);
  };
  const stopWorker = async () => {
    temporal.patienceMs = 0;
    await worker?.stop();
    worker = null;
  };
  cleanup.defer(stopWorker);
  await startWorker();
  const ends = cleanup.move();
  return {
    ...app,
    temporal,
    taskQueue,
    apiWithoutTemporal: withoutTemporal.api.as(app.api.key),
    async anotherStore() {
      const { id: storeId } = await createTestStore(app.database);
      return { storeId, api: await app.clientWith({ storeId }) };
    },
    startWorker,
    stopWorker,
    close: () => ends.disposeAsync(),
  };
}

/** What the store of a key has, in cents, as `store/get` tells. */
export async function balanceOf(api: ApiClient): Promise<ShownBalance> {
  return dataOf<{ balance: ShownBalance }>(await api.get('/v2/store/get')).balance;
}

/** Money of a store that is no longer there: a payout took it. */
export function spend({ database }: MoneyApp, storeId: StoreId, amountCents: number): Promise<void> {
  const at = new Date();
  return writeMovement(
    database.em.fork(),
    { storeId, devMode: true, provider: 'sandbox' },
    {
      kind: 'PAYOUT_RESERVED',
      subjectId: mintId('payout', at),
      amounts: payoutReservedAmounts({ amountCents, feeCents: 0 }),
      createdAt: at,
    },
  );
}
