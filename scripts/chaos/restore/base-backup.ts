import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../src/database/orm.ts';

/** Files that a base backup must leave out (Postgres' documentation, "Making a base backup using the low level API"). */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pgsql_tmp']);
/** Folders that are created empty, because Postgres does not start without them. */
const EMPTY_FOLDERS = ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot'];

/** The part of `pg` that is used here: a base backup begins and ends in one session. */
interface Session {
  query<Row>(sql: string): Promise<{ readonly rows: readonly Row[] }>;
  release(): void;
}

/**
 * Takes a base backup of a running Postgres while others write, as an operator's tool does.
 * @param dataDir the data folder of the server. @param backup the folder to create.
 */
export async function takeBaseBackup(database: Database, dataDir: string, backup: string): Promise<void> {
  const cluster = join(realpathSync(dataDir), 'cluster');
  const pool = (await database.em.getDriver().getConnection().getNativeClient()) as unknown as {
    connect(): Promise<Session>;
  };
  const session = await pool.connect();
  try {
    await session.query(`select pg_backup_start('restore drill', true)`);
    copyFolder(cluster, backup, LEFT_OUT);
    for (const folder of EMPTY_FOLDERS) makeFolderLike(join(backup, folder), cluster);
    const { rows } = await session.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    writeLike(join(backup, 'backup_label'), rows[0]?.labelfile ?? '', cluster);
  } finally {
    session.release();
  }
  // The changes during the copy. Recovery starts with them.
  copyFolder(join(cluster, 'pg_wal'), join(backup, 'pg_wal'), new Set(['archive_status', 'summaries']));
}

/** Replaces the data with a base backup while Postgres is stopped. */
export function restoreBaseBackup(backup: string, dataDir: string): void {
  const cluster = join(realpathSync(dataDir), 'cluster');
  for (const name of readdirSync(cluster)) rmSync(join(cluster, name), { recursive: true, force: true });
  copyFolder(backup, cluster, new Set());
}

/**
 * Keeps the owner of each file, as Postgres runs under a separate account. A file that is deleted during the copy is left out.
 */
function copyFolder(from: string, to: string, leftOut: ReadonlySet<string>): void {
  makeFolderLike(to, from);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target, leftOut);
    else copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  try {
    writeLike(target, readFileSync(source), source);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function makeFolderLike(folder: string, like: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  ownLike(folder, like);
}

function writeLike(file: string, content: string | Uint8Array, like: string): void {
  writeFileSync(file, content, { mode: 0o600 });
  ownLike(file, like);
}

function ownLike(path: string, like: string): void {
  const { uid, gid } = lstatSync(like);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
