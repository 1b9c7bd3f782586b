import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { waitForLock } from './lock.ts';
import type { Log } from './process.ts';

/**
 * The folder where this account keeps what is downloaded or built once per machine: `$XDG_CACHE_HOME/recebe`,
 * else `~/.cache/recebe`, else (no writable home) a private folder for temporary files.
 */
export function machineCache(): string {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'recebe');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return privateTemporaryCache();
  }
}

function privateTemporaryCache(): string {
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

/** Far longer than the slowest of these steps takes. A process that holds a lock longer hangs. */
const MAKE_TIMEOUT_MS = 30 * 60_000;

/**
 * The path of `name` in `folder`, made by `make` the first time. `make` gets a path beside it to create the
 * file or folder at, which is moved into place in one step; processes that need it at the same moment wait
 * for one of them.
 */
export async function madeOnce(
  folder: string,
  name: string,
  make: (target: string) => Promise<void>,
  log: Log,
): Promise<string> {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const onWait = () => log(`Waiting for another process that is preparing ${name}`);
  const release = await waitForLock(join(folder, `${name}.lock`), MAKE_TIMEOUT_MS, onWait);
  if (release === undefined) throw new Error(`another process has been preparing ${path} for too long`);
  const target = join(folder, `.${name}.${randomBytes(6).toString('hex')}`);
  try {
    if (existsSync(path)) return path;
    await removePendingReversal(folder, name);
    await make(target);
    await rename(target, path);
    return path;
  } finally {
    await rm(target, { recursive: true, force: true });
    release();
  }
}

/** What a process that was killed while making the same thing has left behind. */
async function removePendingReversal(folder: string, name: string): Promise<void> {
  for (const found of await readdir(folder)) {
    if (found.startsWith(`.${name}.`)) await rm(join(folder, found), { recursive: true, force: true });
  }
}
