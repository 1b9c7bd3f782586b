import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { downloadArchive } from './download.ts';
import { openLog } from './log-file.ts';
import { freePort, isPortFree } from './ports.mjs';
import { type GuardedProcess, type Log, spawnGuarded } from './process.mjs';
import { registerSearchAttributes, SEARCH_ATTRIBUTE_FLAGS } from './search-attributes.ts';
import { temporalBinary } from './temporal-binary.mjs';
import { endLeftover, forgetPendingReversal, pidFile, unfinishedFile } from './temporal-data.ts';

/** A Temporal server of our own, on loopback only, with the namespace `default` and our search attributes. */
export interface EmbeddedTemporal {
  /** Host and port for clients and workers. */
  address: string;
  /** Where a browser finds its Web UI, or null when it has none. */
  uiUrl: string | null;
  port: number;
  pid: number;
  /** Settles when it has ended, wanted or not. */
  exited: Promise<string>;
  stop(): Promise<void>;
  /**
   * Settles once it has read from its data. @throws where it cannot, or does not answer in time. Under load the
   * store of a released server can break for good while the process stays up ("interrupted (9)", "Namespace not found").
   * The one that we build has a newer driver of SQLite, which does not.
   */
  probe(): Promise<void>;
}

export interface TemporalOptions {
  /**
   * File of the data, created when missing; the server's log is written beside it. Without it nothing is
   * kept.
   */
  dataFile?: string;
  /** Default: a free port. */
  port?: number;
  /** Port of the Web UI. Default: no Web UI. */
  uiPort?: number;
  /** Events after which the server suggests that workflows continue as new. Default: the server's own 4 096. */
  continueAsNewAfterEvents?: number;
  /** How long a probe waits. Default: 10 seconds, as a server that is busy may well take some. */
  probeTimeoutMs?: number;
  log?: Log;
}

/** The first start creates a schema, which slow disks take seconds for. */
const START_TIMEOUT_MS = 60_000;

const PROBE_TIMEOUT_MS = 10_000;

/** gRPC's code of an answer that says no more than that there are too many requests. */
const RESOURCE_EXHAUSTED = 8;

/**
 * How long operators can look at workflows that have ended; the development server would forget them after a
 * day.
 */
const RETENTION = '90 days';

/**
 * Measured (docs/performance.md): 250 instead of 100 starts per second, 33 ms instead of 130 from payment to
 * webhook. One partition per task queue is enough for one server and saves forwarding; the poll limits are
 * the defaults of much busier clusters' shares. The acknowledgement intervals, in seconds, are 30 by default:
 * until then finished tasks stay in memory, and the server goes through all of them whenever new ones come
 * (15 % of its processor time).
 */
const DYNAMIC_CONFIG = {
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'history.transferProcessorMaxPollRPS': 1_000,
  'history.timerProcessorMaxPollRPS': 1_000,
  'history.visibilityProcessorMaxPollRPS': 1_000,
  'history.transferProcessorUpdateAckInterval': 1,
  'history.visibilityProcessorUpdateAckInterval': 1,
  // As JSON. A task whose workers died ten times is given out again after seconds, not after ten minutes.
  'history.workflowTaskRetryMaxInterval': '"10s"',
};

/** Survives kill -9 of the server; only a power cut may lose the last moments. */
const SQLITE_PRAGMAS = { journal_mode: 'wal', synchronous: 'normal' };

/**
 * Starts the development server, after ending one left over on the same file by a launcher that was killed.
 * The caller makes sure that no living launcher uses the same file. It ends with the calling process.
 * @throws Error when a port is in use, when no server can be obtained or when it does not start.
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const log = options.log ?? (() => {});
  const program = await temporalBinary(log, downloadArchive);
  const dataFile = options.dataFile === undefined ? undefined : resolve(options.dataFile);
  if (dataFile) {
    mkdirSync(dirname(dataFile), { recursive: true });
    await endLeftover(dataFile);
    forgetPendingReversal(dataFile);
  }
  for (const port of [options.port, options.uiPort]) {
    if (port !== undefined && !(await isPortFree(port)))
      throw new Error(`port ${port} for Temporal is in use`);
  }

  const port = options.port ?? (await freePort());
  const { uiPort, continueAsNewAfterEvents } = options;
  const dynamicConfig = {
    ...DYNAMIC_CONFIG,
    ...(continueAsNewAfterEvents && {
      'limit.historyCount.suggestContinueAsNew': continueAsNewAfterEvents,
    }),
  };
  const server = launch(program, port, uiPort, dataFile, dynamicConfig);
  if (dataFile) writeFileSync(pidFile(dataFile), String(server.pid), { mode: 0o600 });
  const stop = async () => {
    await server.stop();
    if (dataFile) rmSync(pidFile(dataFile), { force: true });
  };
  const address = `127.0.0.1:${port}`;
  try {
    await prepared(address, server.guarded);
    if (dataFile) rmSync(unfinishedFile(dataFile), { force: true });
  } catch (error) {
    await stop();
    const seeLog = dataFile === undefined ? '' : `\nThe log is in ${dataFile}.log`;
    throw new Error(`Temporal did not start: ${server.lastWords() || describe(error)}${seeLog}`);
  }
  const uiUrl = options.uiPort === undefined ? null : `http://127.0.0.1:${options.uiPort}`;
  return {
    address,
    uiUrl,
    port,
    pid: server.pid,
    exited: server.guarded.exited,
    stop,
    probe: () => probe(address, options.probeTimeoutMs ?? PROBE_TIMEOUT_MS),
  };
}

interface Launched {
  guarded: GuardedProcess;
  pid: number;
  stop(): Promise<void>;
  /** The end of what it has written, for errors. */
  lastWords(): string;
}

function launch(
  program: string,
  port: number,
  uiPort: number | undefined,
  dataFile: string | undefined,
  dynamicConfig: Readonly<Record<string, number | string>>,
): Launched {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'];
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (dataFile) args.push('--db-filename', dataFile);
  if (dataFile)
    for (const [name, value] of Object.entries(SQLITE_PRAGMAS))
      args.push('--sqlite-pragma', `${name}=${value}`);
  for (const [name, value] of Object.entries(dynamicConfig))
    args.push('--dynamic-config-value', `${name}=${value}`);
  for (const flag of SEARCH_ATTRIBUTE_FLAGS) args.push('--search-attribute', flag);

  let output = '';
  const logFile = dataFile === undefined ? undefined : openLog(`${dataFile}.log`);
  const guarded = spawnGuarded(program, args, {
    endSignal: 'SIGTERM',
    privateFiles: true,
    env: environment(),
    ...(logFile && { outputFd: logFile.fd }),
    onOutput: (text) => {
      output = (output + text).slice(-2_000);
    },
  });
  logFile?.close();
  const lastWords = () => (logFile?.written() ?? output).trim().slice(-600);
  return { guarded, pid: guarded.pid, stop: () => guarded.stop(), lastWords };
}

/**
 * How much its heap may grow, in percent, before Go collects garbage; the default of 100 took a tenth of its
 * processor time and more (docs/performance.md), and saves memory that this server, which is one machine's,
 * does not miss.
 */
const GARBAGE_PERCENT = '400';

/** TEMPORAL_* variables are for clients of another server, and may hold its keys. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return { GOGC: GARBAGE_PERCENT, ...Object.fromEntries(kept) };
}

/** Waits until the namespace answers, and sets what has no flag. */
async function prepared(address: string, server: GuardedProcess): Promise<void> {
  const connection = await connected(address, server);
  try {
    await connection.workflowService.updateNamespace({
      namespace: 'default',
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION) },
    });
    await registerSearchAttributes(connection);
  } finally {
    await connection.close();
  }
}

async function connected(address: string, server: GuardedProcess): Promise<Connection> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 1_000 });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return connection;
    } catch (error) {
      if (server.hasExited()) throw new Error(await server.exited);
      if (performance.now() > deadlineMs) throw error;
      await sleep(50);
    }
  }
}

/** Reads the namespace from the server's data, once: a connection that tries again would end beyond its closing. */
async function probe(address: string, timeoutMs: number): Promise<void> {
  const connection = Connection.lazy({ address, interceptors: [] });
  const describeNamespace = () => connection.workflowService.describeNamespace({ namespace: 'default' });
  try {
    await connection.withDeadline(Date.now() + timeoutMs, describeNamespace);
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== RESOURCE_EXHAUSTED) throw error;
  } finally {
    await connection.close();
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
