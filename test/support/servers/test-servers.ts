import { join } from 'node:path';
import { startPostgres } from '../../../scripts/embedded/postgres.ts';
import type { Log } from '../../../scripts/embedded/process.mjs';
import { startTemporal } from '../../../scripts/embedded/temporal.ts';
import { timeSkippingServer } from '../../../scripts/embedded/test-server.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { lastingPort } from './lasting-port.ts';
import { makeAhead } from './made-ahead.ts';
import { fastestRoot, makeTestFolder, removeFoldersOfKilledRuns, removeTestFolder } from './test-folder.ts';

/** The migrated database that tests clone. */
const TEMPLATE = 'recebe_template';

/**
 * Few enough that a test sees a workflow continue as new and can store its history. Shorter workflows are not
 * affected.
 */
const CONTINUE_AS_NEW_AFTER_EVENTS = 50;

/** The servers of one test run: what their addresses are called in the environment, and how to end them. */
export interface TestServers {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts servers with data of their own, which is removed when they are stopped (or by the next run). */
export function startTestServers(log: Log): Promise<TestServers> {
  return started(async (folder, endWith) => {
    // Obtaining the servers for the first time takes minutes, which they spend side by side.
    const [executable, temporal, ahead] = await Promise.all([
      timeSkippingServer(log),
      startRegisteredTemporal(endWith, log),
      makeAhead(folder, () => {}),
    ]);
    return {
      ...(await postgresIn(folder, endWith, log)),
      RECEBE_TEST_TEMPORAL_ADDRESS: temporal.address,
      RECEBE_TEST_TIME_SKIPPING_SERVER: JSON.stringify(executable),
      ...ahead,
    };
  });
}

async function startRegisteredTemporal(endWith: EndWith, log: Log) {
  const temporal = await startTemporal({
    log,
    port: await lastingPort(),
    continueAsNewAfterEvents: CONTINUE_AS_NEW_AFTER_EVENTS,
  });
  endWith(temporal.stop);
  return temporal;
}

/** {@link startTestServers} without Temporal, which most of the API works without. */
export function startTestPostgres(log: Log): Promise<TestServers> {
  return started((folder, endWith) => postgresIn(folder, endWith, log));
}

type EndWith = (stop: () => Promise<void> | void) => void;

/** @param start receives a data folder and a function to register stops, which run in reverse order. */
async function started(
  start: (folder: string, endWith: EndWith) => Promise<Record<string, string>>,
): Promise<TestServers> {
  removeFoldersOfKilledRuns();
  const folder = makeTestFolder(fastestRoot());
  const stops: (() => Promise<void> | void)[] = [() => removeTestFolder(folder)];
  const stop = async () => {
    while (stops.length > 0) await stops.pop()?.();
  };
  try {
    return { environment: await start(folder, (end) => stops.push(end)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function postgresIn(folder: string, endWith: EndWith, log: Log) {
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    databases: [TEMPLATE],
    port: await lastingPort(),
    durable: false,
    log,
  });
  endWith(postgres.stop);
  await migrate(databaseAt(postgres.url, TEMPLATE));
  return { RECEBE_TEST_DATABASE_URL: databaseAt(postgres.url, 'postgres') };
}

function databaseAt(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}
