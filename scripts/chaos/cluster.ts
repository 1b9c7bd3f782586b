import { randomBytes } from 'node:crypto';
import { migrate } from '../../src/database/migrate.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { makeAhead } from '../../test/support/servers/made-ahead.ts';
import type { Environment } from '../../test/support/servers/processes.ts';
import { TcpProxy } from '../../test/support/servers/tcp-proxy.ts';
import type { EmbeddedPostgres } from '../embedded/postgres.ts';
import type { Log } from '../embedded/process.mjs';
import {
  type MortalServer,
  type MortalTemporal,
  startMortalPostgres,
  startMortalTemporal,
  startMortalTemporalServer,
} from './servers.ts';
import { ServiceProcess, serviceProgram } from './service-process.ts';

const APIS = 2;
const WORKERS = 3;

/** One process of the service with separate connections to both servers, so that a fault can cut off this process alone. */
export interface Member {
  readonly process: ServiceProcess;
  readonly toPostgres: TcpProxy;
  readonly toTemporal: TcpProxy;
}

/** An installation of the service on one machine: two servers, and several processes of each kind. */
export interface Cluster extends AsyncDisposable {
  readonly postgres: MortalServer<EmbeddedPostgres>;
  readonly temporal: MortalTemporal;
  readonly temporalAddress: string;
  readonly members: readonly Member[];
  readonly apiUrls: readonly string[];
  /** The key that encrypts accounts at banks. */
  readonly secretsKey: string;
  /** The database, over a connection without faults. */
  readonly database: Database;
}

export interface ClusterOptions {
  /** The folder for data and logs. The caller removes it. */
  readonly folder: string;
  /** The folder with the programs of a Temporal server that keeps its data in Postgres; null for the server of `npm start`. */
  readonly temporalServer: string | null;
  readonly log: Log;
}

/** Starts all processes and waits until they are ready. */
export async function startCluster({ folder, temporalServer, log }: ClusterOptions): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack();
  const servers = async () => {
    const postgres = cleanup.use(await startMortalPostgres(folder));
    const temporal = cleanup.use(
      temporalServer === null
        ? await startMortalTemporal(folder, log)
        : await startMortalTemporalServer(folder, temporalServer, postgres.first),
    );
    return { postgres, temporal };
  };
  const [{ postgres, temporal }, ahead] = await Promise.all([servers(), madeAhead(folder)]);
  await migrate(postgres.first.url);
  const database = await openDatabase(postgres.first.url, 4);
  cleanup.defer(() => database.close(true));
  await bringCyclesForward(database);

  const secretsKey = randomBytes(32).toString('base64');
  const members: Member[] = [];
  const apiUrls: string[] = [];
  const add = async (kind: 'api' | 'worker', number: number) => {
    const toPostgres = cleanup.use(await TcpProxy.start(postgres.first.port));
    const toTemporal = cleanup.use(await TcpProxy.start(temporal.server.first.port));
    const port = kind === 'api' ? await lastingPort() : 0;
    const env = {
      ...ahead,
      DATABASE_URL: Object.assign(new URL(postgres.first.url), { port: String(toPostgres.port) }).href,
      TEMPORAL_ADDRESS: `127.0.0.1:${toTemporal.port}`,
      PORT: String(port),
      SECRETS_KEY: secretsKey,
      ALLOW_PRIVATE_ENDPOINTS: 'true',
    };
    const process = cleanup.use(new ServiceProcess(serviceProgram(kind, number), env, folder));
    process.start();
    members.push({ process, toPostgres, toTemporal });
    if (kind === 'api') apiUrls.push(`http://127.0.0.1:${port}`);
  };
  for (let number = 1; number <= APIS; number += 1) await add('api', number);
  for (let number = 1; number <= WORKERS; number += 1) await add('worker', number);
  await Promise.all(members.map(({ process }) => process.ready()));
  const ends = cleanup.move();
  const temporalAddress = temporal.server.first.address;
  return {
    postgres,
    temporal,
    temporalAddress,
    members,
    apiUrls,
    secretsKey,
    database,
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** A test run has bundled and compiled everything before. */
async function madeAhead(folder: string): Promise<Environment> {
  const { RECEBE_TEST_WORKFLOW_BUNDLE: bundle, NODE_COMPILE_CACHE: cache } = process.env;
  const { RECEBE_TEST_WORKFLOW_BUNDLE, NODE_COMPILE_CACHE } =
    bundle && cache
      ? { RECEBE_TEST_WORKFLOW_BUNDLE: bundle, NODE_COMPILE_CACHE: cache }
      : await makeAhead(folder, () => {});
  return { WORKFLOW_BUNDLE: RECEBE_TEST_WORKFLOW_BUNDLE, NODE_COMPILE_CACHE };
}

/**
 * The run cannot wait for weeks. A subscription with this metadata is moved that many seconds into the past before its workflow
 * is started. So the cycles that have ended since are due at once, one after the other, and the next one within seconds.
 */
async function bringCyclesForward(database: Database): Promise<void> {
  await database.em.fork().execute(`
    create function begin_ago() returns trigger language plpgsql as $$
    declare past interval := make_interval(secs => (new.metadata ->> 'secondsAgo')::double precision);
    begin
      new.anchor_at := new.anchor_at - past;
      new.cycle_starts_at := new.cycle_starts_at - past;
      new.cycle_ends_at := new.cycle_ends_at - past;
      new.trial_ends_at := new.trial_ends_at - past;
      return new;
    end $$;
    create trigger subscriptions_begin_ago before insert on subscriptions
      for each row when ((new.metadata ->> 'secondsAgo') is not null) execute function begin_ago();
  `);
}
