import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLineOf, endProcess } from './foreign-process.ts';

/**
 * Ends a postmaster that still runs on the data. Answers the process id in its lock file, if there is one:
 * now surely not a postmaster's. It may live on as another program, or as a zombie where nobody collects
 * killed processes.
 */
export async function endLeftover(cluster: string): Promise<number | undefined> {
  const recorded = readPostmasterFile(cluster);
  if (recorded === undefined) return undefined;
  const commandLine = await commandLineOf(recorded.pid);
  if (commandLine?.includes(cluster)) await endProcess(recorded.pid, 'SIGINT');
  return recorded.pid;
}

/** Lines 1 and 8 of `postmaster.pid`, as documented in Postgres' src/include/utils/pidfile.h. */
export function readPostmasterFile(cluster: string): { pid: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}
