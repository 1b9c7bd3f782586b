import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Runs `work` while no other process does so for this folder. The lock holds the id of the process that created
 * it, or the id that `work` passes to its argument: that of a program that survives if this process is killed,
 * and so keeps the lock.
 */
export async function withInstallLock(root, work) {
  const folderHash = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `recebe-install-${userInfo().uid}-${folderHash}`);
  const mine = `${lock}.${process.pid}`;
  try {
    write(mine, process.pid);
    for (let waits = 0; !tryLink(mine, lock); waits += 1) {
      removeIfStale(lock, mine);
      if (waits === 5) process.stderr.write('Waiting for another process that is installing packages\n');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    try {
      await work((pid) => {
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
