import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type { AppDeps } from '../../src/api/deps.ts';
import { createApp } from '../../src/app.ts';
import { issueKey } from '../../src/cli/keys.ts';
import { createStore } from '../../src/cli/stores.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/orm.ts';
import type { DeliveryId, StoreId } from '../../src/domain/ids.ts';
import { PERMISSIONS, type Permission } from '../../src/domain/permission.ts';
import { createLogger } from '../../src/log.ts';
import { createDispatcher } from '../../src/outbound/guarded-dispatcher.ts';
import { createParts } from '../../src/parts.ts';
import { ApiClient } from './api-client.ts';
import { createTestDatabase } from './database.ts';

export interface TestApp {
  /** Calls the API with a dev-mode key that holds every permission. */
  readonly api: ApiClient;
  readonly database: Database;
  readonly storeId: StoreId;
  /** Every delivery that was asked to be sent again. */
  readonly resent: readonly DeliveryId[];
  /** Lines of the log, parsed. */
  readonly logged: readonly Record<string, unknown>[];
  /** A client with another key: of the same store, in dev mode and with every permission unless told otherwise. */
  clientWith(given?: KeyOptions): Promise<ApiClient>;
  close(): Promise<void>;
}

export interface KeyOptions {
  readonly storeId?: string;
  readonly devMode?: boolean;
  readonly permissions?: readonly Permission[];
}

/** Settings as they are unless told otherwise, but that endpoints on this machine are allowed. */
export const TEST_CONFIG: AppDeps['config'] = {
  ...loadConfig({ DATABASE_URL: 'postgres://unused' }),
  allowPrivateEndpoints: true,
};

/** The whole API on a database and a port of its own. @param overrides replace single dependencies. */
export async function createTestApp(overrides: Partial<AppDeps> = {}): Promise<TestApp> {
  const db = await createTestDatabase();
  const logged: Record<string, unknown>[] = [];
  const log = createLogger('debug', { write: (line: string) => logged.push(JSON.parse(line)) });
  const temporal = unreachableTemporal();
  const parts = createParts(db.database, temporal, 'test', log);
  const resent: DeliveryId[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const files = createDispatcher({ allowPrivateEndpoints: true });
  const app = createApp({
    ...parts,
    config: TEST_CONFIG,
    temporal,
    clock: () => new Date(),
    publicUrl,
    dispatcher: files.dispatcher,
    resendDelivery: async (id) => void resent.push(id),
    ...overrides,
  });
  server.on('request', app.callback());
  const { id: storeId } = await createTestStore(db.database);
  const clientWith = async (given: KeyOptions = {}) =>
    new ApiClient(publicUrl, await createTestKey(db.database, { storeId, ...given }));
  return {
    api: await clientWith(),
    database: db.database,
    storeId,
    resent,
    logged,
    clientWith,
    async close() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
      await files.close();
      await parts.starter.close();
      await temporal.connection.close();
      await db.drop();
    },
  };
}

/** API tests must not need Temporal, as charges are created without it: a port where nothing listens, and no retries. */
function unreachableTemporal(): Client {
  const connection = Connection.lazy({ address: '127.0.0.1:9', connectTimeout: 200, interceptors: [] });
  return new Client({ connection });
}

/** A store to own what a test makes. */
export function createTestStore(database: Database) {
  return createStore(database.em.fork(), { name: 'Loja Teste', city: 'SAO PAULO' }, new Date());
}

async function createTestKey(database: Database, given: KeyOptions & { storeId: string }): Promise<string> {
  const { devMode = true, permissions = PERMISSIONS, storeId } = given;
  const key = { storeId, devMode, permissions, description: 'test' };
  const { keyText } = await issueKey(database.em.fork(), key, new Date());
  return keyText;
}
