import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** How often this process has asked for a lock. */
let calls = 0;

/**
 * Runs `work` while no other process of this account does so for this path. The lock holds the id of the process that
 * created it, or the id that `work` passes to its argument: that of a program that survives if this process is killed,
 * and so keeps the lock.
 * @param kind what the lock is for; a part of its file's name.
 * @param onWait called each time that another process is found to hold the lock, with how often that was before.
 */
export async function withLock(kind, path, onWait, work) {
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `recebe-${kind}-${userInfo().uid}-${hash}`);
  calls += 1;
  const mine = `${lock}.${process.pid}.${calls}`;
  try {
    write(mine, process.pid);
    for (let waits = 0; !tryLink(mine, lock); waits += 1) {
      removeIfStale(lock, mine);
      onWait(waits);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    try {
      return await work((pid) => {
        write(`${mine}.next`, pid);
        renameSync(`${mine}.next`, lock);
      });
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function write(file, pid) {
  try {
    writeFileSync(file, String(pid));
  } catch (error) {
    throw new Error(`Nothing can be written to ${tmpdir()} (${error.message})`);
  }
}

/** A link appears with its content, so nobody ever reads a lock without the id. */
function tryLink(mine, lock) {
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function removeIfStale(lock, mine) {
  const holder = readIfThere(lock);
  if (holder === '' || isAlive(Number(holder))) return;
  // Two may find it stale, and the slower one would take the faster one's new lock away: it puts that back.
  const aside = `${mine}.stale`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== holder) tryLink(aside, lock);
    rmSync(aside, { force: true });
  } catch {
    // Somebody else has just removed it.
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
