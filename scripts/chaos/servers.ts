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
 * A server with its data on disk, which can be ended in the middle and comes back on the same port and data.
 * One that ends by itself is started again, and so is one that is up and of no use, as `npm start` does it.
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

  /** Ends it without a goodbye, and waits until it is gone. */
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

/** A durable Postgres. SIGQUIT is its immediate shutdown: nobody is waited for, and the next start recovers. */
export async function startMortalPostgres(folder: string) {
  const start = (port: number) => startPostgres({ dataDir: join(folder, 'postgres'), port });
  return new MortalServer(await start(await lastingPort()), 'SIGQUIT', start);
}

/** A Temporal server that can be killed, and can lose all it knows. */
export interface MortalTemporal extends AsyncDisposable {
  readonly server: MortalServer<Running & { readonly address: string }>;
  /** Its way to its own Postgres, where it has one. */
  readonly toPostgres: TcpProxy | null;
  /** Deletes its data, while it is ended. */
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

/** The one that clusters run. @param programs where Go has installed it. @param postgres where it keeps its data. */
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
