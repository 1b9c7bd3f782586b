import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Account } from './process.mjs';

/** Accounts without rights of their own that systems bring along, best first. */
const UNPRIVILEGED_NAMES = ['postgres', 'nobody'];

/** Whether this process may run programs as another account. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * An account that is not root, for programs that refuse to run as root.
 * @throws Error when the system has none.
 */
export function unprivilegedAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of UNPRIVILEGED_NAMES) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('Postgres does not run as root, and this system has no account "postgres" or "nobody"');
}

/**
 * Whether the account can work in a folder: no folder above it is closed to it.
 * The system is asked by really entering it, which counts everything (modes, access lists, mount options).
 */
export function canEnter(folder: string, account: Account | undefined): boolean {
  if (process.platform === 'win32') return true;
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...account,
    cwd: '/',
    stdio: 'ignore',
  });
  return tried.status === 0;
}
