import { join } from 'node:path';
import { startPostgres } from '../../../scripts/embedded/postgres.ts';
import { startTemporal } from '../../../scripts/embedded/temporal.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { lastingPort } from './lasting-port.ts';
import { makeTestFolder, removeTestFolder } from './test-folder.ts';

/** A server of one test's own, to be killed and brought back on the same port and data. */
export interface MortalServer extends AsyncDisposable {
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** A Temporal server that keeps its data in a file. */
export async function startMortalTemporal(): Promise<MortalServer & { readonly address: string }> {
  const folder = makeTestFolder();
  const dataFile = join(folder, 'temporal.db');
  const first = await startTemporal({ dataFile, port: await lastingPort() });
  const server = mortal(first, () => startTemporal({ dataFile, port: first.port }), folder);
  return { address: first.address, ...server };
}

/** A Postgres that waits for its disk, as in production, with the tables migrated. */
export async function startMortalPostgres(): Promise<MortalServer & { readonly url: string }> {
  const folder = makeTestFolder();
  const dataDir = join(folder, 'postgres');
  const first = await startPostgres({ dataDir, port: await lastingPort() });
  await migrate(first.url);
  const server = mortal(first, () => startPostgres({ dataDir, port: first.port }), folder);
  return { url: first.url, ...server };
}

interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

function mortal(first: Running, start: () => Promise<Running>, folder: string): MortalServer {
  let current = first;
  return {
    async kill() {
      process.kill(current.pid, 'SIGKILL');
      await current.exited;
    },
    async restart() {
      current = await start();
    },
    async [Symbol.asyncDispose]() {
      await current.stop();
      removeTestFolder(folder);
    },
  };
}
