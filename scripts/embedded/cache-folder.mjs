import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * The folder where this account keeps what is downloaded or built once per machine: `$XDG_CACHE_HOME/recebe`,
 * else `~/.cache/recebe`, else (no writable home) a private folder for temporary files.
 */
export function machineCache() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'recebe');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return privateTemporaryCache();
  }
}

function privateTemporaryCache() {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `recebe-cache-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Everybody may create names there, so a folder prepared by someone else must not be trusted with programs.
  const found = lstatSync(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) {
    throw new Error(`${folder} belongs to another account; set XDG_CACHE_HOME to a folder of your own`);
  }
  return folder;
}
