import { join, resolve } from 'node:path';
import { ensureDemoStore } from '../src/cli/demo-store.ts';
import { serviceLogFile } from '../src/cli/instance.ts';
import { Api } from '../src/cli/integrator/api.ts';
import { demoCheckout } from '../src/cli/integrator/demo-checkout.ts';
import { type Config, developmentSettings, loadConfig } from '../src/config.ts';
import { loadPersonalNumbers } from '../src/database/encryption/data-key.ts';
import { reencryptSecrets } from '../src/database/encryption/reencrypt-secrets.ts';
import { areAllSealed, noteAllSealed, sealNumbers } from '../src/database/encryption/seal-numbers.ts';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/orm.ts';
import { keyRecoveryCodes } from '../src/identity/recovery-codes.ts';
import { SecretsKeys } from '../src/secrets/secrets-keys.ts';
import { connectTemporal } from '../src/temporal/client.ts';
import { announcement } from './announcement.ts';
import { type ChosenPorts, readPorts, requireFreePorts } from './chosen-ports.mjs';
import { claimDataFolder, type DataFolder } from './embedded/data-folder.ts';
import { portNear } from './embedded/ports.mjs';
import { startPostgres } from './embedded/postgres.ts';
import { type Log, stopGuardedProcesses } from './embedded/process.mjs';
import { registerSearchAttributes, SEARCH_ATTRIBUTE_FLAGS } from './embedded/search-attributes.ts';
import { supervise } from './embedded/supervision.ts';
import { startTemporal } from './embedded/temporal.ts';
import { startBeside } from './start-beside.ts';
import { DEFAULT_PORTS, onPort } from './start-ports.ts';
import { StartProgress } from './start-progress.ts';

/** Postgres, Temporal, the database, and API and worker. */
const STEPS = 4;

const progress = new StartProgress(process.stdout, STEPS);
const stops: (() => Promise<void> | void)[] = [];
let stopping: Promise<void> | undefined;

/** What API and worker are started with, once their servers run. */
export interface ServiceStart {
  readonly config: Config;
  /** The same settings as a process of its own takes them. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** Where API and worker log. */
  readonly logFile: string;
  /** Has something stopped when the instance ends, before the servers. */
  atEnd(stop: () => Promise<void>): void;
}

/**
 * Brings up everything on one machine, for development and for trying it out: Postgres and Temporal, the
 * tables and a store to try, and then API and worker; and stops it all at Ctrl-C.
 * @param startService starts API and worker. @returns the API's address.
 */
export async function runInstance(startService: (start: ServiceStart) => Promise<string>): Promise<void> {
  // A terminal that was closed must not keep the rest from being stopped.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  handleSignals();
  try {
    await startEverything(startService);
  } catch (error) {
    if (stopping !== undefined) return;
    fail(error instanceof Error ? error.message : String(error));
  }
}

async function startEverything(startService: (start: ServiceStart) => Promise<string>): Promise<void> {
  const settings = { ...process.env };
  // A wrong setting is refused before anything is started.
  loadConfig({
    ...settings,
    DATABASE_URL: settings.DATABASE_URL || 'postgresql://127.0.0.1/recebe',
    // The folder's own, which is not claimed yet.
    SECRETS_KEY: settings.SECRETS_KEY || Buffer.alloc(32).toString('base64'),
  });
  const ports = readPorts();
  const folder = await claimDataFolder(resolve(settings.RECEBE_DATA || '.data'), log);
  stops.push(folder.release);
  await requireFreePorts(ports);

  // Obtaining Temporal may take minutes and starting it some seconds, in which the database is prepared.
  const temporalStart = settings.TEMPORAL_ADDRESS
    ? null
    : startBeside((temporalLog) => startOwnTemporal(folder, ports, temporalLog));
  const databaseUrl =
    settings.DATABASE_URL || (await step(() => ownPostgres(folder, ports.RECEBE_POSTGRES_PORT)));
  progress.step('Preparing the database');
  await step(() => migrate(databaseUrl));
  const demo = await step(() => ensureDemoStore(databaseUrl, folder.demoKey));
  if (temporalStart !== null) progress.step('Starting Temporal');
  const temporal: TemporalServer =
    temporalStart === null
      ? { address: settings.TEMPORAL_ADDRESS ?? '', uiUrl: null }
      : await step(() => temporalStart.finished(log));
  progress.step('Starting API and worker');
  const environment = {
    ...settings,
    ...developmentSettings(settings),
    PORT: String(ports.PORT ?? (await step(apiPort))),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_UI_URL: settings.TEMPORAL_UI_URL || (temporal.uiUrl ?? ''),
    SECRETS_KEY: settings.SECRETS_KEY || folder.secretsKey,
  };
  const config = loadConfig(environment);
  await step(() => encryptSecrets(databaseUrl, config.secretsKeys));
  const logFile = serviceLogFile(folder.path);
  const atEnd = (stop: () => Promise<void>) => void stops.push(stop);
  const apiUrl = await step(() => startService({ config, environment, logFile, log, atEnd })).catch(
    (error) => {
      throw new Error(`${error instanceof Error ? error.message : error}\nThe log is in ${logFile}`);
    },
  );
  // Reading accepts both meanwhile, so the service does not wait for it.
  void sealOldNumbers(databaseUrl, config).catch((error) => {
    if (stopping === undefined)
      progress.say(`Tax ids of an earlier release stay text until the next start: ${error}`);
  });
  if (settings.TEMPORAL_ADDRESS) await step(() => prepareForeignTemporal(config.temporal));
  if (stopping !== undefined) return;

  const endpoints = {
    apiUrl,
    temporalAddress: temporal.address,
    temporalUiUrl: temporal.uiUrl,
    databaseUrl,
    demoKey: demo.keyText,
  };
  folder.publish(endpoints);
  // Asked for on this machine, as the public address may be that of a proxy elsewhere.
  const localUrl = config.publicUrl === null ? apiUrl : `http://${config.host}:${config.port}`;
  const api = new Api({ url: localUrl, key: demo.keyText });
  // A page to try is no reason not to start.
  const checkoutUrl = await step(() => demoCheckout(api).catch(() => null));
  if (stopping !== undefined) return;
  progress.end();
  progress.say(announcement({ endpoints, config, folder, signInPath: demo.signInPath, checkoutUrl }));
}

/** Runs the next step of the start unless Ctrl-C has been pressed meanwhile. */
async function step<T>(work: () => Promise<T>): Promise<T> {
  if (stopping !== undefined) throw new Error('stopped');
  return work();
}

/** The default port, or the next free one. It is chosen last, so that hardly anything can take it meanwhile. */
async function apiPort(): Promise<number> {
  const port = await portNear(DEFAULT_PORTS.PORT);
  if (port !== DEFAULT_PORTS.PORT)
    progress.say(`Port ${DEFAULT_PORTS.PORT} is in use; the API uses port ${port}`);
  return port;
}

/**
 * Webhooks' secrets of releases before were kept as text. Here nothing else runs that could not read them
 * encrypted; on a cluster `secrets rotate` does this once all processes can.
 */
async function encryptSecrets(databaseUrl: string, keys: readonly string[]): Promise<void> {
  const database = await openDatabase(databaseUrl, 1);
  try {
    const { count, unreadable } = await reencryptSecrets(database.em.fork(), new SecretsKeys(keys));
    if (count > 0) progress.say(`Encrypted ${count} secrets`);
    if (unreadable.length > 0)
      progress.say(
        `SECRETS_KEY: cannot read ${unreadable.length} secrets; add the key they were encrypted with`,
      );
  } finally {
    await database.close(true);
  }
}

/** Encrypts the tax ids and PIX keys that earlier releases stored as text, once: new ones are encrypted by the service. Keys their recovery codes. */
async function sealOldNumbers(databaseUrl: string, config: Config): Promise<void> {
  const database = await openDatabase(databaseUrl, 1);
  try {
    const keys = new SecretsKeys(config.secretsKeys);
    const numbers = await loadPersonalNumbers(database, keys, config.encryptsNumbers);
    const em = database.em.fork();
    if (!numbers.encrypts) return;
    await keyRecoveryCodes(em);
    if (await areAllSealed(em)) return;
    const { count, duplicates } = await sealNumbers(em);
    await noteAllSealed(em, new Date());
    if (count > 0) progress.say(`Rows with a tax id or PIX key that are encrypted now: ${count}`);
    if (duplicates.length > 0) progress.say(`Customers with the tax id of another: ${duplicates.join(', ')}`);
  } finally {
    await database.close(true);
  }
}

async function ownPostgres(folder: DataFolder, wantedPort: number | undefined): Promise<string> {
  progress.step('Starting Postgres');
  const dataDir = join(folder.path, 'postgres');
  const start = (port: number) => startPostgres({ dataDir, port, log });
  const first = await onPort(wantedPort, DEFAULT_PORTS.RECEBE_POSTGRES_PORT, start);
  const givenUp = (reason: string) => fail(`${reason}; see ${dataDir}.log`);
  stops.push(supervise('Postgres', first, () => start(first.port), log, givenUp));
  return first.url;
}

interface TemporalServer {
  readonly address: string;
  readonly uiUrl: string | null;
}

/** Starts a Temporal server of our own. @param temporalLog takes what it is at. */
async function startOwnTemporal(
  folder: DataFolder,
  ports: ChosenPorts,
  temporalLog: Log,
): Promise<TemporalServer> {
  const dataFile = join(folder.path, 'temporal.db');
  return onPort(ports.RECEBE_TEMPORAL_PORT, DEFAULT_PORTS.RECEBE_TEMPORAL_PORT, (port) =>
    onPort(ports.RECEBE_TEMPORAL_UI_PORT, DEFAULT_PORTS.RECEBE_TEMPORAL_UI_PORT, async (uiPort) => {
      const server = await startTemporal({ dataFile, port, uiPort, log: temporalLog });
      const restart = () => startTemporal({ dataFile, port, uiPort, log });
      const givenUp = (reason: string) => fail(`${reason}; see ${dataFile}.log`);
      stops.push(supervise('Temporal', server, restart, log, givenUp));
      return server;
    }),
  );
}

/**
 * A Temporal server that is not ours may not know our search attributes yet, or may let only its operators
 * add them.
 */
async function prepareForeignTemporal(temporal: Config['temporal']): Promise<void> {
  const connection = await connectTemporal(temporal);
  try {
    await registerSearchAttributes(connection, temporal.namespace);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    progress.say(
      `Search attributes could not be registered (${reason}); needed are: ${SEARCH_ATTRIBUTE_FLAGS.join(' ')}`,
    );
  } finally {
    await connection.close();
  }
}

function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second one: at once. The servers end by themselves when this process is gone (see spawnGuarded).
      if (stopping !== undefined) process.exit(1);
      progress.end();
      progress.say('Stopping (once more: at once)');
      void stop().then(() => process.exit(0));
    });
  }
}

function fail(reason: string): void {
  progress.end();
  process.stderr.write(`${reason}\n`);
  void stop().then(() => process.exit(1));
}

/** Stops what has been started, last first: the service before the servers it uses. */
function stop(): Promise<void> {
  stopping ??= (async () => {
    while (stops.length > 0) {
      try {
        await stops.pop()?.();
      } catch (error) {
        process.stderr.write(`While stopping: ${error instanceof Error ? error.message : error}\n`);
      }
    }
    await stopGuardedProcesses();
  })();
  return stopping;
}

function log(line: string): void {
  progress.detail(line);
}
