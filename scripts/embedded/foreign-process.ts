import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from './errors.mjs';

/** Whether a process with this id exists, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** The command line of a process, or undefined when there is none or it cannot be seen. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * Ends a process that is not our child: asks with `signal`, kills after ten seconds, and waits until it is
 * gone.
 */
export async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  for (const step of [signal, 'SIGKILL'] as const) {
    if (isAlive(pid)) process.kill(pid, step);
    for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 50) {
      if (!(await isRunning(pid))) return;
      await sleep(50);
    }
  }
  throw new Error(`process ${pid} does not end`);
}

/** A zombie (ended, not yet collected by its parent) has an empty command line and holds nothing any more. */
async function isRunning(pid: number): Promise<boolean> {
  return isAlive(pid) && Boolean(await commandLineOf(pid));
}
