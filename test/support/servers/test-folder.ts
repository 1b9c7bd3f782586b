import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../scripts/embedded/foreign-process.ts';
import { removeDataFolder } from '../../../scripts/embedded/postgres-data.ts';

/** Followed by the id of the process that made the folder. */
const PREFIX = 'recebe-test-';

/** A temporary folder for servers' data. Postgres' goes into `postgres` within. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
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
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isAlive(pid)) removeFolderIfOurs(join(tmpdir(), name));
  }
}

function removeFolderIfOurs(folder: string): void {
  try {
    removeTestFolder(folder);
  } catch {
    // It belongs to another account of this machine, whose own next run removes it.
  }
}
