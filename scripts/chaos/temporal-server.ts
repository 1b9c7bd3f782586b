import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { openLog } from '../embedded/log-file.ts';
import { type GuardedProcess, runToEnd, spawnGuarded } from '../embedded/process.mjs';
import { registerSearchAttributes } from '../embedded/search-attributes.ts';

/** Both kept in the Postgres of the service, as `docker-compose.yml` has it. */
const STORES = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' };
const PLUGIN = 'postgres12';

/** Each of the four services has pools of its own, all within what Postgres gives. */
const CONNECTIONS = { temporal: 10, temporal_visibility: 4 };

const RETENTION = '90 days';
/** What docs/operating.md asks of a cluster. */
const DYNAMIC_CONFIG = { 'history.workflowTaskRetryMaxInterval': [{ value: '10s' }] };

const START_TIMEOUT_MS = 120_000;
/** Between two starts of a server that ends since its database is away, and two looks at one that starts. */
const PAUSE_MS = 250;
/** gRPC's code for what is there already. */
const ALREADY_EXISTS = 6;

/**
 * A Temporal server as clusters run it, with its stores in Postgres: all four services in one process, and
 * the server's own settings. Its programs are `server` and `sql`, as Go installs them.
 */
export class TemporalServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #databaseUrl: URL;

  private constructor(programs: string, folder: string, databaseUrl: URL) {
    this.#programs = programs;
    this.#folder = folder;
    this.#databaseUrl = databaseUrl;
  }

  /**
   * Makes its stores and its settings.
   * @param folder where settings and log go.
   * @param databaseUrl Postgres, with an account that may make databases.
   * @param postgresPort where the server itself reaches that Postgres.
   * @param port where clients will reach the server.
   */
  static async prepare(
    programs: string,
    folder: string,
    databaseUrl: string,
    { postgresPort, port }: { readonly postgresPort: number; readonly port: number },
  ): Promise<TemporalServer> {
    const url = new URL(databaseUrl);
    const config = join(folder, 'temporal', 'config');
    mkdirSync(config, { recursive: true });
    const dynamicConfigFile = join(config, 'dynamic.yaml');
    writeFileSync(dynamicConfigFile, JSON.stringify(DYNAMIC_CONFIG));
    // JSON is valid YAML.
    const dynamicConfigClient = { filepath: dynamicConfigFile, pollInterval: '1h' };
    const all = { ...(await settings(url, postgresPort, port)), dynamicConfigClient };
    writeFileSync(join(config, 'chaos.yaml'), JSON.stringify(all), { mode: 0o600 });
    const server = new TemporalServer(programs, folder, url);
    await server.#makeStores();
    return server;
  }

  /** Deletes all that the server knows, while it is ended. */
  async forget(): Promise<void> {
    for (const store of Object.keys(STORES)) await this.#sql(store, 'drop-database', '--force');
    await this.#makeStores();
  }

  /** Starts it, as often as its database makes it end, and waits until clients and workers can use it. */
  async start(port: number) {
    const address = `127.0.0.1:${port}`;
    const deadlineMs = performance.now() + START_TIMEOUT_MS;
    let server = this.#launch();
    for (;;) {
      try {
        await isPrepared(address);
        const { pid, exited } = server;
        return { address, port, pid, exited, stop: () => server.stop() };
      } catch (error) {
        if (performance.now() > deadlineMs) {
          await server.stop();
          throw new Error(`the Temporal server does not start: see ${this.#logFile}`, { cause: error });
        }
        await sleep(PAUSE_MS);
        if (server.hasExited()) server = this.#launch();
      }
    }
  }

  get #logFile(): string {
    return join(this.#folder, 'temporal.log');
  }

  #launch(): GuardedProcess {
    const log = openLog(this.#logFile);
    const args = ['--root', join(this.#folder, 'temporal'), '--config', 'config', '--env', 'chaos'];
    const server = spawnGuarded(join(this.#programs, 'server'), [...args, '--allow-no-auth', 'start'], {
      endSignal: 'SIGTERM',
      outputFd: log.fd,
    });
    log.close();
    return server;
  }

  async #makeStores(): Promise<void> {
    for (const [store, schema] of Object.entries(STORES)) {
      await this.#sql(store, 'create-database');
      await this.#sql(store, 'setup-schema', '--version', '0.0');
      await this.#sql(store, 'update-schema', '--schema-name', schema);
    }
  }

  async #sql(store: string, ...command: string[]): Promise<void> {
    const { hostname, port, username, password } = this.#databaseUrl;
    const env = { ...process.env, SQL_PASSWORD: decodeURIComponent(password) };
    const where = ['--plugin', PLUGIN, '--ep', hostname, '--port', port, '--user', username, '--db', store];
    await runToEnd(`${command[0]} ${store}`, join(this.#programs, 'sql'), [...where, ...command], {
      log: () => {},
      env,
    });
  }
}

/** Only what it cannot do without: everything else is as clusters have it that change nothing. */
async function settings({ username, password }: URL, postgresPort: number, port: number) {
  const store = (databaseName: keyof typeof STORES) => ({
    sql: {
      pluginName: PLUGIN,
      databaseName,
      connectAddr: `127.0.0.1:${postgresPort}`,
      connectProtocol: 'tcp',
      user: username,
      password: decodeURIComponent(password),
      maxConns: CONNECTIONS[databaseName],
      maxIdleConns: CONNECTIONS[databaseName],
    },
  });
  const service = async (grpcPort: number) => ({
    rpc: { grpcPort, membershipPort: await lastingPort(), bindOnLocalHost: true },
  });
  const active = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' };
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'temporal',
      visibilityStore: 'temporal_visibility',
      numHistoryShards: 4,
      datastores: { temporal: store('temporal'), temporal_visibility: store('temporal_visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: await service(port),
      history: await service(await lastingPort()),
      matching: await service(await lastingPort()),
      worker: await service(await lastingPort()),
    },
    clusterMetadata: {
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { ...active, rpcAddress: `127.0.0.1:${port}` } },
    },
  };
}

/**
 * Makes the namespace and its search attributes where they are missing. @throws until the server can be used.
 */
async function isPrepared(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 });
  try {
    const workflowExecutionRetentionPeriod = msToTs(RETENTION);
    await connection.workflowService
      .registerNamespace({ namespace: 'default', workflowExecutionRetentionPeriod })
      .catch((error: unknown) => {
        if (!isGrpcServiceError(error) || error.code !== ALREADY_EXISTS) throw error;
      });
    await registerSearchAttributes(connection);
    // The server knows a new attribute some seconds before it can search by it.
    const query = `StoreId = 'none'`;
    await connection.workflowService.countWorkflowExecutions({ namespace: 'default', query });
  } finally {
    await connection.close();
  }
}
