import { join } from 'node:path';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { startTemporal } from '../embedded/temporal.ts';

interface Running {
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

/** A server with its data on disk, which can be ended in the middle and comes back on the same port and data. */
export class MortalServer<Server extends Running = Running> implements AsyncDisposable {
  readonly first: Server;
  readonly #endSignal: NodeJS.Signals;
  readonly #start: (port: number) => Promise<Server>;
  #current: Server;

  constructor(first: Server, endSignal: NodeJS.Signals, start: (port: number) => Promise<Server>) {
    this.first = first;
    this.#current = first;
    this.#endSignal = endSignal;
    this.#start = start;
  }

  /** Ends it without a goodbye, and waits until it is gone. */
  async end(): Promise<void> {
    process.kill(this.#current.pid, this.#endSignal);
    await this.#current.exited;
  }

  async restart(): Promise<void> {
    this.#current = await this.#start(this.first.port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#current.stop();
  }
}

/** A durable Postgres. SIGQUIT is its immediate shutdown: nobody is waited for, and the next start recovers. */
export async function startMortalPostgres(folder: string) {
  const start = (port: number) => startPostgres({ dataDir: join(folder, 'postgres'), port });
  return new MortalServer(await start(await lastingPort()), 'SIGQUIT', start);
}

/** The Temporal server that `npm start` runs, with its data in a file. */
export async function startMortalTemporal(folder: string) {
  const start = (port: number) => startTemporal({ dataFile: join(folder, 'temporal.db'), port });
  return new MortalServer(await start(await lastingPort()), 'SIGKILL', start);
}
