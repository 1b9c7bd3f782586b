import { isAbsolute, relative } from 'node:path';
import { startTestServers } from '../servers/test-servers.ts';

declare global {
  /** Stops the servers of this run; set if servers were started. */
  var stopTestServers: (() => Promise<void>) | undefined;
}

/** The part of jest's configuration of the run that is used here. */
interface RunConfig {
  rootDir: string;
  runTestsByPath: boolean;
  nonFlagArgs: string[];
  testPathPatterns: { patterns: string[] };
}

/**
 * Tests that use no database and no Temporal server of the run, so that running only these starts nothing.
 */
const WITHOUT_SERVERS = [
  'test/domain',
  'test/charges',
  'test/docs',
  'test/faults/plays',
  'test/outbound',
  'test/webhooks',
  'test/replay',
  'test/qr-code',
  'test/scripts',
];

/**
 * Starts one Postgres and one Temporal server for the whole run and tells the tests where they are:
 * RECEBE_TEST_DATABASE_URL (with the right to create databases; `recebe_template` is migrated and there to be
 * cloned), RECEBE_TEST_TEMPORAL_ADDRESS, RECEBE_TEST_TIME_SKIPPING_SERVER (for
 * `createTimeSkippingEnvironment`), and RECEBE_TEST_WORKFLOW_BUNDLE (the service's workflows, which each
 * worker would otherwise bundle for seconds). Processes find what Node has compiled of the service by
 * NODE_COMPILE_CACHE.
 */
export default async function globalSetup(config: RunConfig): Promise<void> {
  const wanted = config.runTestsByPath ? config.nonFlagArgs : config.testPathPatterns.patterns;
  if (wanted.length > 0 && wanted.every((path) => needsNoServers(path, config.rootDir))) return;
  const servers = await startTestServers((line) => process.stderr.write(`${line}\n`)).catch((error) => {
    throw withoutStack(error);
  });
  globalThis.stopTestServers = servers.stop;
  Object.assign(process.env, servers.environment);
}

/**
 * Our own errors say what to do, which a list of our functions would only hide. Others are mistakes, and keep
 * it.
 */
function withoutStack(error: unknown): unknown {
  if (error instanceof Error && error.name === 'Error') error.stack = error.message;
  return error;
}

function needsNoServers(path: string, rootDir: string): boolean {
  const fromRoot = (isAbsolute(path) ? relative(rootDir, path) : path)
    .replaceAll('\\', '/')
    .replace(/^\.\//, '');
  return WITHOUT_SERVERS.some((folder) => fromRoot.startsWith(folder));
}
