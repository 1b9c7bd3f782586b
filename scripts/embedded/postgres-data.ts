import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { canEnter, isRoot, unprivilegedAccount } from './accounts.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Account } from './process.mjs';

/** The role that owns everything in an embedded Postgres. */
export const SUPERUSER = 'recebe';

/** Where the role's password is kept: in the data folder, which only its account may enter. */
const PASSWORD_FILE = 'recebe-password';

/** Where data goes whose own folder is closed to the account that runs Postgres. Only root needs it. */
const OPEN_DATA_ROOT = '/var/lib/recebe';

/**
 * The account that runs Postgres on this folder: the current user unless that is root; else the owner of
 * existing data (so that a run as root does not lock its owner out), else an unprivileged one.
 */
export function accountFor(dataDir: string): Account | undefined {
  if (!isRoot()) return undefined;
  const existing = statSync(dataDir, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  return unprivilegedAccount();
}

/**
 * The real folder behind `dataDir`, created when missing. Where the account cannot get to `dataDir`, it
 * becomes a link to a new folder elsewhere: removing the link is removing the data, just as removing the
 * folder would be.
 */
export function placeDataFolder(dataDir: string, account: Account | undefined): string {
  if (lstatSync(dataDir, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(dirname(dataDir), { recursive: true });
    if (canEnter(dirname(dataDir), account)) return createOwned(dataDir, account);
    mkdirSync(OPEN_DATA_ROOT, { recursive: true, mode: 0o711 });
    symlinkSync(createOwned(join(OPEN_DATA_ROOT, randomBytes(8).toString('hex')), account), dataDir);
  }
  if (!existsSync(dataDir))
    throw new Error(`${dataDir} is a link to a folder that is gone; remove it to start afresh`);
  const folder = realpathSync(dataDir);
  if (!canEnter(folder, account))
    throw new Error(`${folder} is closed to the account that has to run Postgres in it`);
  return folder;
}

/** Removes a data folder, wherever it really is. */
export function removeDataFolder(dataDir: string): void {
  if (existsSync(dataDir)) rmSync(realpathSync(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

function createOwned(folder: string, account: Account | undefined): string {
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/**
 * Makes the database cluster, with the named databases and a random password, unless it is already there.
 * It is made in a folder within and moved up at the end, so that an interrupted run leaves nothing half done.
 */
export function initialise(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
  databases: string[],
): void {
  if (existsSync(join(folder, 'cluster', 'PG_VERSION'))) return;
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  // A name of its own: an initdb whose launcher was killed may still be writing to the last one.
  const unfinished = join(folder, `unfinished-${randomBytes(6).toString('hex')}`);

  const passwordFile = join(folder, PASSWORD_FILE);
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  run(binaries.initdb, account, [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Postgres' own collation sorts the same on every machine, whichever locales that one has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  const statements = databases.map((name) => `create database ${name};\n`).join('');
  run(binaries.postgres, account, ['--single', '-D', unfinished, 'postgres'], statements);
  renameSync(unfinished, join(folder, 'cluster'));
}

/** The password of the cluster's role. */
export function readPassword(folder: string): string {
  return readFileSync(join(folder, PASSWORD_FILE), 'utf8');
}

function run(command: string, account: Account | undefined, args: string[], input = ''): void {
  const done = spawnSync(command, args, {
    ...account,
    cwd: '/',
    env: postgresEnvironment(),
    input,
    encoding: 'utf8',
  });
  if (done.status === 0) return;
  throw new Error(`${command} failed: ${done.error?.message ?? done.stderr.trim()}`);
}

/** Postgres reads PG* variables; none of the caller's (nor its secrets) may reach it. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
