import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from '../embedded/postgres-data.ts';

/** A folder for data and logs of one run. */
export function makeChaosFolder(): string {
  return mkdtempSync(join(tmpdir(), 'recebe-chaos-'));
}

/** Removes it, and the data of Postgres, which may be elsewhere. */
export function removeChaosFolder(folder: string): void {
  for (const data of globSync('{.,*}/postgres', { cwd: folder })) removeDataFolder(join(folder, data));
  rmSync(folder, { recursive: true, force: true });
}
