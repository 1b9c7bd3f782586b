import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../scripts/embedded/foreign-process.ts';
import { removeDataFolder } from '../../../scripts/embedded/postgres-data.ts';

/** Followed by the id of the process that made the folder. */
const PREFIX = 'recebe-test-';

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Room for a full WAL (1 GB by default) and the databases of the files that run. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * Where the run's servers keep their data. In memory, a clone of the template takes 0.04 s of CPU time, on a disk 0.4 s:
 * it consists of hundreds of files.
 */
export function fastestRoot(): string {
  return existsSync(MEMORY) && freeBytes(MEMORY) >= NEEDED_BYTES ? MEMORY : tmpdir();
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** A temporary folder for servers' data. Postgres' goes into `postgres` within. */
export function makeTestFolder(root: string = tmpdir()): string {
  const folder = mkdtempSync(join(root, `${PREFIX}${process.pid}-`));
  // Run by root, Postgres works as another account, which has to be able to get to its own folder in here.
  chmodSync(folder, 0o711);
  return folder;
}

export function removeTestFolder(folder: string): void {
  removeDataFolder(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what test processes left that were killed before they could. */
export function removeFoldersOfKilledRuns(): void {
  for (const root of [tmpdir(), MEMORY].filter((each) => existsSync(each)))
    for (const name of readdirSync(root)) {
      const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
      if (!Number.isNaN(pid) && !isAlive(pid)) removeFolderIfOurs(join(root, name));
    }
}

function removeFolderIfOurs(folder: string): void {
  try {
    removeTestFolder(folder);
  } catch {
    // It belongs to another account of this machine, whose own next run removes it.
  }
}
