import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environmentWith } from '../../test/support/servers/processes.ts';
import type { Cluster } from './cluster.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** How often an operator repeats a command that asks to be repeated. */
const ATTEMPTS = 3;

/** Runs a command of the command line on a cluster, as its operator does. @returns what it prints. @throws if it fails. */
export async function runCommand(
  { postgres, temporalAddress, secretsKey }: Cluster,
  args: readonly string[],
): Promise<string> {
  const env = environmentWith({
    DATABASE_URL: postgres.first.url,
    TEMPORAL_ADDRESS: temporalAddress,
    SECRETS_KEY: secretsKey,
  });
  const command = ['src/cli/main.ts', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
  return stdout;
}

/** `workflows rebuild`. @returns how long it took in all, in milliseconds. @throws if it fails for good. */
export async function rebuildWorkflows(cluster: Cluster, log: (line: string) => void): Promise<number> {
  const startedMs = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runCommand(cluster, ['workflows', 'rebuild']);
      return performance.now() - startedMs;
    } catch (error) {
      // A repeated command starts the workflows for which a busy Temporal or worker did not answer in time, as the command
      // says.
      log(String(error));
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
