import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './errors.mjs';

/**
 * How often a waiting process looks again. Holders keep a lock for seconds to minutes, so this is soon
 * enough.
 */
const POLL_MS = 200;

/** SQLite's code for a lock held by someone else (https://www.sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/**
 * Takes the lock kept at `file`, or answers undefined when another process (or this one) holds it.
 * The operating system frees it when its holder ends, however it ends: there are no stale locks to clean up.
 * Node has no file locks of its own; an SQLite database opened exclusively is one on every platform.
 */
export function tryLock(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return undefined;
  }
  return () => database.close();
}

function isBusy(error: unknown): boolean {
  return errorCode(error) === 'ERR_SQLITE_ERROR' && (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}

/**
 * Takes the lock at `file`, waiting up to `timeoutMs` for its holder; answers undefined when that is not
 * enough.
 * @param onWait is called once if it has to wait.
 */
export async function waitForLock(
  file: string,
  timeoutMs: number,
  onWait: () => void,
): Promise<(() => void) | undefined> {
  const deadlineMs = performance.now() + timeoutMs;
  let release = tryLock(file);
  if (release === undefined) onWait();
  while (release === undefined && performance.now() < deadlineMs) {
    await sleep(POLL_MS);
    release = tryLock(file);
  }
  return release;
}
