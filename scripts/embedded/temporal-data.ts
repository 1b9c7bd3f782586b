import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { commandLineOf, endProcess } from './foreign-process.ts';

/** Ends a server that still runs on this file. A process that merely has its id is left alone. */
export async function endLeftover(dataFile: string): Promise<void> {
  const pid = Number(readIfThere(pidFile(dataFile)));
  if (!pid) return;
  const commandLine = await commandLineOf(pid);
  if (commandLine?.includes(' start-dev ') && commandLine.includes(` ${dataFile} `))
    await endProcess(pid, 'SIGTERM');
}

/**
 * The server creates its tables only in a file that does not exist yet. If it was killed meanwhile, the file
 * is unusable, and it is empty because nothing has used the server yet. So the first start is marked.
 */
export function forgetPendingReversal(dataFile: string): void {
  if (existsSync(unfinishedFile(dataFile))) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${dataFile}${suffix}`, { force: true });
  }
  if (!existsSync(dataFile)) writeFileSync(unfinishedFile(dataFile), '');
}

export function unfinishedFile(dataFile: string): string {
  return `${dataFile}.unfinished`;
}

export function pidFile(dataFile: string): string {
  return `${dataFile}.pid`;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
