import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from './lock.ts';
import type { Log } from './process.mjs';

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
