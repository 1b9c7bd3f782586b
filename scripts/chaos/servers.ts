import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { TcpProxy } from '../../test/support/servers/tcp-proxy.ts';
import { startPostgres } from '../embedded/postgres.ts';
import type { Log } from '../embedded/process.mjs';
import { endsWhenBroken } from '../embedded/supervision.ts';
import { startTemporal } from '../embedded/temporal.ts';
import { TemporalServer } from './temporal-server.ts';

interface Running {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
  /** As in `supervise` of `npm start`. */
  probe?(): Promise<void>;
}

/**
 * A server with its data on disk. It can be killed at any time and restarts on the same port and data. Like `npm start`, it
 * restarts a server that exits by itself, or that runs but does not work.
 */
export class MortalServer<Server extends Running = Running> implements AsyncDisposable {
  readonly first: Server;
  /** How often it has ended without being stopped. */
  endedByItself = 0;
  readonly #endSignal: NodeJS.Signals;
  readonly #start: (port: number) => Promise<Server>;
  #current: Promise<Server>;
  #mayEnd: Server | null = null;

  constructor(first: Server, endSignal: NodeJS.Signals, start: (port: number) => Promise<Server>) {
    this.first = first;
    this.#current = Promise.resolve(first);
    this.#endSignal = endSignal;
    this.#start = start;
    this.#watch(first);
  }

  /** Kills it, and waits until the process is gone. */
  async end(): Promise<void> {
    const server = await this.#current;
    this.#mayEnd = server;
    process.kill(server.pid, this.#endSignal);
    await server.exited;
  }

  async restart(): Promise<void> {
    this.#current = this.#start(this.first.port);
    this.#watch(await this.#current);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.#current;
    this.#mayEnd = server;
    await server.stop();
  }

  #watch(server: Server): void {
    const probing = endsWhenBroken(server, () => (this.#mayEnd === server ? undefined : server.stop()));
    void server.exited.then(async () => {
      probing.close();
      if (this.#mayEnd === server) return;
      this.endedByItself += 1;
      await this.restart();
    });
  }
}

/** A durable Postgres. SIGQUIT is its immediate shutdown: it waits for no client, and the next start recovers. */
export async function startMortalPostgres(folder: string) {
  const start = (port: number) => startPostgres({ dataDir: join(folder, 'postgres'), port });
  return new MortalServer(await start(await lastingPort()), 'SIGQUIT', start);
}

/** A Temporal server that can be killed, and can lose its data. */
export interface MortalTemporal extends AsyncDisposable {
  readonly server: MortalServer<Running & { readonly address: string }>;
  /** Its connection to its own Postgres, if it has one. */
  readonly toPostgres: TcpProxy | null;
  /** Deletes its data while it is stopped. */
  readonly forget: () => Promise<void>;
}

/** The Temporal server that `npm start` runs, with its data in a file. */
export async function startMortalTemporal(folder: string, log: Log): Promise<MortalTemporal> {
  const dataFile = join(folder, 'temporal.db');
  const start = (port: number) => startTemporal({ dataFile, port, log });
  const server = new MortalServer(await start(await lastingPort()), 'SIGKILL', start);
  const forget = async () => {
    for (const file of [dataFile, `${dataFile}-wal`, `${dataFile}-shm`]) rmSync(file, { force: true });
  };
  return { server, toPostgres: null, forget, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The server that clusters run. @param programs the folder where Go installed it. @param postgres the server for its data. */
export async function startMortalTemporalServer(
  folder: string,
  programs: string,
  postgres: { readonly url: string; readonly port: number },
): Promise<MortalTemporal> {
  await using cleanup = new AsyncDisposableStack();
  const toPostgres = cleanup.use(await TcpProxy.start(postgres.port));
  const port = await lastingPort();
  const ways = { postgresPort: toPostgres.port, port };
  const temporal = await TemporalServer.prepare(programs, folder, postgres.url, ways);
  const start = (samePort: number) => temporal.start(samePort);
  const server = cleanup.use(new MortalServer(await start(port), 'SIGKILL', start));
  const ends = cleanup.move();
  return {
    server,
    toPostgres,
    forget: () => temporal.forget(),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}
