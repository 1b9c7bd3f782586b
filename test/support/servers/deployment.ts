import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { issueKey } from '../../../src/cli/keys.ts';
import { createStore } from '../../../src/cli/stores.ts';
import type { Database } from '../../../src/database/orm.ts';
import { PERMISSIONS } from '../../../src/domain/permission.ts';
import { ApiClient } from '../api/api-client.ts';
import { bundleOfRun } from '../fixtures/workflow-bundle.ts';
import { createTestDatabase } from '../rows/database.ts';
import { ENDS_WITH_CONNECTION } from './ends-with-connection.ts';
import { type Environment, type ServiceProcess, startApi, startWorker } from './processes.ts';

/**
 * One installation of the service: its own database and task queue, and whichever processes a test starts in
 * it.
 */
export interface Deployment extends AsyncDisposable {
  /** What its processes are configured with. */
  readonly env: Environment;
  /** Its tables, read behind the back of its processes. */
  readonly database: Database;
  readonly storeId: string;
  /** The operator's view of its Temporal server; connects at its first call. */
  readonly temporal: Client;
  /** Starts an API process. @returns it, and a client with a dev-mode key that holds every permission. */
  startApi(env?: Environment): Promise<{ process: ServiceProcess; api: ApiClient }>;
  /** @param args of the command line, such as `--queues`. */
  startWorker(env?: Environment, args?: readonly string[]): Promise<ServiceProcess>;
}

/** Servers of a test's own; default: those of the test run. */
export interface DeploymentServers {
  /** A migrated database and its address. The caller closes them. */
  readonly database?: { readonly url: string; readonly database: Database };
  readonly temporalAddress?: string;
}

export async function createDeployment(servers: DeploymentServers = {}): Promise<Deployment> {
  await using cleanup = new AsyncDisposableStack();
  const { url, database } = servers.database ?? (await ownDatabase(cleanup));
  const address = servers.temporalAddress ?? requiredAddress();
  const connection = Connection.lazy({ address, plugins: [ENDS_WITH_CONNECTION] });
  cleanup.defer(() => connection.close());
  const env = {
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_TASK_QUEUE: `test-${randomBytes(6).toString('hex')}`,
    PORT: '0',
    ALLOW_PRIVATE_ENDPOINTS: 'true',
    WORKFLOW_BUNDLE: bundleOfRun() ?? '',
  };
  const { storeId, keyText } = await createStoreAndKey(database);
  // Processes end first, last started first, and then what they use.
  const processes = cleanup.use(new AsyncDisposableStack());
  const ends = cleanup.move();
  return {
    env,
    database,
    storeId,
    temporal: new Client({ connection }),
    startApi: async (more = {}) => {
      const process = processes.use(await startApi({ ...env, ...more }));
      return { process, api: new ApiClient(process.url, keyText) };
    },
    startWorker: async (more = {}, args = []) => processes.use(await startWorker({ ...env, ...more }, args)),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

async function ownDatabase(cleanup: AsyncDisposableStack) {
  const created = await createTestDatabase();
  cleanup.defer(() => created.drop());
  return created;
}

async function createStoreAndKey(database: Database) {
  const em = database.em.fork();
  const now = new Date();
  const { id: storeId } = await createStore(em, { name: 'Loja Teste', city: 'SAO PAULO' }, now);
  const key = { storeId, devMode: true, description: 'test', permissions: PERMISSIONS };
  return { storeId, keyText: (await issueKey(em, key, now)).keyText };
}

function requiredAddress(): string {
  const address = process.env.RECEBE_TEST_TEMPORAL_ADDRESS;
  if (address === undefined) throw new Error('RECEBE_TEST_TEMPORAL_ADDRESS is not set: run with npm test');
  return address;
}
