import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogFile, openLog } from './log-file.ts';
import { freePort, isPortFree } from './ports.mjs';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts';
import {
  accountFor,
  initialise,
  placeDataFolder,
  postgresEnvironment,
  readPassword,
  SUPERUSER,
} from './postgres-data.ts';
import { endLeftover, readPostmasterFile } from './postmaster-file.ts';
import { type Account, type GuardedProcess, type Log, spawnGuarded } from './process.mjs';

/** A Postgres of our own, on loopback only. */
export interface EmbeddedPostgres {
  /** Connection string of the database `recebe`, with the superuser's password. */
  url: string;
  port: number;
  pid: number;
  /** Settles when it has ended, wanted or not. */
  exited: Promise<string>;
  /** Ends it in good order: transactions that run are rolled back, connections closed. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Folder of the data, created when missing. The server's log is written beside it, `<dataDir>.log`. */
  dataDir: string;
  /** Default: a free port. */
  port?: number;
  /** Databases made when the data is made. Default: `recebe`. */
  databases?: string[];
  /** False for data that may be lost, such as that of tests: no waiting for the disk. Default: true. */
  durable?: boolean;
  log?: Log;
}

/** Recovery after a crash reads at most `max_wal_size` (1 GB), which takes slow disks about this long. */
const START_TIMEOUT_MS = 120_000;

/**
 * After kill -9 of the postmaster, its children notice within moments; until then the data may not be opened.
 */
const ORPHANS_TIMEOUT_MS = 15_000;

/**
 * Starts Postgres on a data folder, after ending a server left over on it by a launcher that was killed.
 * The caller makes sure that no living launcher uses the same folder. It ends with the calling process.
 * @throws Error when the port is in use, or with the server's own words when it does not start.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => {});
  mkdirSync(dirname(dataDir), { recursive: true });
  const account = accountFor(dataDir);
  const binaries = await postgresBinaries(account, log);
  const folder = placeDataFolder(dataDir, account);
  initialise(folder, binaries, account, options.databases ?? ['recebe']);
  const cluster = join(folder, 'cluster');
  const formerPid = await endLeftover(cluster);
  if (options.port !== undefined && !(await isPortFree(options.port))) {
    throw new Error(`port ${options.port} for Postgres is in use`);
  }

  const deadlineMs = performance.now() + ORPHANS_TIMEOUT_MS;
  for (;;) {
    const port = options.port ?? (await freePort());
    const durable = options.durable ?? true;
    const launched = launch({
      binaries,
      account,
      cluster,
      port,
      durable,
      formerPid,
      logFile: `${dataDir}.log`,
    });
    const failure = await readiness(launched, cluster);
    if (failure === undefined) {
      const password = encodeURIComponent(readPassword(folder));
      const { pid, exited, stop } = launched.server;
      return {
        url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/recebe`,
        port,
        pid,
        exited,
        stop,
      };
    }
    await launched.server.stop();
    const passing =
      failure.includes('still in use') ||
      (options.port === undefined && failure.includes('could not create any TCP/IP sockets'));
    if (!passing || performance.now() > deadlineMs) throw new Error(`Postgres did not start: ${failure}`);
    await sleep(100);
  }
}

interface Launched {
  server: GuardedProcess;
  output: LogFile;
  logFile: string;
}

interface Launch {
  binaries: PostgresBinaries;
  account: Account | undefined;
  cluster: string;
  port: number;
  durable: boolean;
  formerPid: number | undefined;
  logFile: string;
}

function launch({ binaries, account, cluster, port, durable, formerPid, logFile }: Launch): Launched {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    // A payment that was answered is on disk: both are Postgres' defaults, spelt out because everything rests
    // on them.
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    // Our queries are short; compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Details of errors quote rows, and so people's names and tax ids.
    log_error_verbosity: 'terse',
    // And so do refused statements, in which values stand written out.
    log_min_error_statement: 'panic',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openLog(logFile);
  const server = spawnGuarded(binaries.postgres, ['-D', cluster, ...flags], {
    // "Fast shutdown" in Postgres' terms; SIGTERM would wait for clients to leave by themselves.
    endSignal: 'SIGINT',
    account,
    // Postgres takes a living process with the id in its lock file for a rival, except one named here (it is
    // meant for pg_ctl's parent). Removing the lock file instead would hide children of a killed postmaster
    // that still write.
    env: { ...postgresEnvironment(), ...(formerPid && { PG_GRANDPARENT_PID: String(formerPid) }) },
    outputFd: output.fd,
  });
  output.close();
  return { server, output, logFile };
}

/** Waits until connections are accepted; answers the reason when that does not happen. */
async function readiness(launched: Launched, cluster: string): Promise<string | undefined> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadlineMs) {
    if (launched.server.hasExited()) return lastFatal(launched);
    const found = readPostmasterFile(cluster);
    if (found?.pid === launched.server.pid && found.status === 'ready') return undefined;
    await sleep(20);
  }
  return `not ready after ${START_TIMEOUT_MS / 1_000} s; see ${launched.logFile}`;
}

function lastFatal({ output, logFile }: Launched): string {
  const lines = output.written().trim().split('\n');
  const fatal = lines.findLast((line) => line.includes('FATAL:') || line.includes('PANIC:'));
  return fatal?.replace(/^.*(FATAL|PANIC):\s*/, '') ?? `it ended; see ${logFile}`;
}
