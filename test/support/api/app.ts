import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { EventStreams } from '../../../src/api/events/event-streams.ts';
import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { ReadsBesideOthers } from '../../../src/api/limits/reads-beside-others.ts';
import { requestListener } from '../../../src/app.ts';
import { issueKey, type NewKey } from '../../../src/cli/keys.ts';
import { createStore } from '../../../src/cli/stores.ts';
import { loadConfig } from '../../../src/config.ts';
import { loadPersonalNumbers } from '../../../src/database/encryption/data-key.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { DeliveryId, StoreId } from '../../../src/domain/ids.ts';
import { PERMISSIONS, type Permission } from '../../../src/domain/permission.ts';
import { deliveryToStart } from '../../../src/events/delivery-to-start.ts';
import { createLogger } from '../../../src/log.ts';
import { followMandate } from '../../../src/mandates/follow-mandate.ts';
import { createDispatcher } from '../../../src/outbound/guarded-dispatcher.ts';
import type { Providers } from '../../../src/providers/providers.ts';
import { createApiServer } from '../../../src/run/api-server.ts';
import { mandateEffects } from '../../../src/run/mandate-effects.ts';
import { createParts, type Parts } from '../../../src/run/parts.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { resendDelivery } from '../../../src/temporal/delivery.ts';
import { taskQueuesOf } from '../../../src/temporal/task-queues.ts';
import { createTestDatabase } from '../rows/database.ts';
import { ApiClient } from './api-client.ts';

export interface TestApp {
  /** Calls the API with a dev-mode key that holds every permission. */
  readonly api: ApiClient;
  readonly database: Database;
  /** What the application was made of. */
  readonly deps: AppDeps;
  /** What a worker for the same database is made of. */
  readonly parts: Parts;
  readonly storeId: StoreId;
  /** Every delivery that was asked to be sent again. */
  readonly resent: readonly DeliveryId[];
  /** Lines of the log, parsed. */
  readonly logged: readonly Record<string, unknown>[];
  /** A client with another key. Default: the same store, dev mode and every permission. */
  clientWith(given?: KeyOptions): Promise<ApiClient>;
  close(): Promise<void>;
}

export interface KeyOptions
  extends Pick<Partial<NewKey>, 'readOnly' | 'isPublic' | 'expiresAt' | 'allowedNetworks'> {
  readonly storeId?: string;
  readonly devMode?: boolean;
  readonly permissions?: readonly Permission[];
}

/** Resources that an app shares with a worker or another app. The caller closes them. */
export interface Shared {
  /** Default: a database of the app's own. */
  readonly database?: Database;
  /** Default: no Temporal server answers, as most of the API must work without. */
  readonly temporal?: { readonly client: Client; readonly taskQueue: string };
  /** Of webhooks and accounts. Default: none. */
  readonly secretsKeys?: readonly string[];
  /** Replaces the providers of the app, and of its worker. */
  readonly providers?: (usual: Providers) => Providers;
}

/**
 * The default settings, except that endpoints on this machine are allowed and requests of keys and payers
 * are not limited.
 */
export const TEST_CONFIG: AppDeps['config'] = {
  ...loadConfig({ DATABASE_URL: 'postgres://unused' }),
  allowPrivateEndpoints: true,
  rateLimit: null,
  limitAnonymousTraffic: false,
};

/** The whole API on a port of its own. @param overrides replace single dependencies. */
export async function createTestApp(overrides: Partial<AppDeps> = {}, shared: Shared = {}): Promise<TestApp> {
  await using cleanup = new AsyncDisposableStack();
  const database = shared.database ?? (await ownDatabase(cleanup));
  const logged: Record<string, unknown>[] = [];
  const log = createLogger('debug', { write: (line: string) => logged.push(JSON.parse(line)) });
  const { client, taskQueue } = shared.temporal ?? unreachableTemporal(cleanup);
  const secretsKeys = overrides.secretsKeys ?? new SecretsKeys(shared.secretsKeys ?? []);
  if (secretsKeys.currentId !== null) await loadPersonalNumbers(database, secretsKeys, true);
  const usual = createParts(database, client, taskQueue, secretsKeys, log);
  const parts = { ...usual, providers: shared.providers?.(usual.providers) ?? usual.providers };
  cleanup.defer(() => parts.starter.close());
  const resent: DeliveryId[] = [];
  const server = createApiServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const files = createDispatcher({ allowPrivateEndpoints: true });
  cleanup.defer(() => files.close());
  cleanup.defer(
    async () => void (await new Promise((resolve) => server.close(resolve).closeAllConnections())),
  );
  const eventStreams = new EventStreams(database, log, new ReadsBesideOthers(overrides.busy ?? parts.busy));
  cleanup.defer(() => eventStreams.close());
  const deps: AppDeps = {
    ...parts,
    eventStreams,
    config: TEST_CONFIG,
    temporal: client,
    clock: createClock(),
    publicUrl,
    notificationsUrl: publicUrl,
    dispatcher: files.dispatcher,
    wakeDebit: mandateEffects(parts).wakeDebit,
    followMandate: (id, now) =>
      followMandate(
        { ...parts, ...mandateEffects(parts), publicUrl, platformFee: TEST_CONFIG.platformFee },
        id,
        now,
      ),
    resendDelivery: async (id) => {
      resent.push(id);
      if (shared.temporal === undefined) return;
      await resendDelivery(client, taskQueuesOf(taskQueue).deliveries, await deliveryToStart(database, id));
    },
    ...overrides,
  };
  server.on('request', requestListener(deps));
  const { id: storeId } = await createTestStore(database);
  const clientWith = async (given: KeyOptions = {}) =>
    new ApiClient(publicUrl, await createTestKey(database, { storeId, ...given }));
  const api = await clientWith();
  const ends = cleanup.move();
  return {
    api,
    database,
    deps,
    parts,
    storeId,
    resent,
    logged,
    clientWith,
    close: () => ends.disposeAsync(),
  };
}

/**
 * This machine's time, which is another one each time: of two things that are made one after the other, the
 * second is the newer one.
 */
function createClock(): () => Date {
  let lastMs = 0;
  return () => {
    lastMs = Math.max(lastMs + 1, Date.now());
    return new Date(lastMs);
  };
}

async function ownDatabase(cleanup: AsyncDisposableStack): Promise<Database> {
  const { database, drop } = await createTestDatabase();
  cleanup.defer(drop);
  return database;
}

/**
 * API tests must not need Temporal, as charges are created without it: a port where nothing listens, and no
 * retries.
 */
function unreachableTemporal(cleanup: AsyncDisposableStack): NonNullable<Shared['temporal']> {
  const connection = Connection.lazy({ address: '127.0.0.1:9', connectTimeout: 200, interceptors: [] });
  cleanup.defer(() => connection.close());
  return { client: new Client({ connection }), taskQueue: 'test' };
}

/** A store to own what a test makes. */
export function createTestStore(database: Database) {
  return createStore(database.em.fork(), { name: 'Loja Teste', city: 'SAO PAULO' }, new Date());
}

async function createTestKey(database: Database, given: KeyOptions & { storeId: string }): Promise<string> {
  const key = { devMode: true, permissions: PERMISSIONS, description: 'test', ...given };
  const { keyText } = await issueKey(database.em.fork(), key, new Date());
  return keyText;
}
