import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataFolder } from '../embedded/postgres-data.ts';

/** A folder for data and logs of one run. */
export function makeChaosFolder(): string {
  return mkdtempSync(join(tmpdir(), 'recebe-chaos-'));
}

export function removeChaosFolder(folder: string): void {
  removeDataFolder(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}
