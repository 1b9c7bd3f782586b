import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Em, openDatabase } from './orm.ts';

/** Any number fixed for this product: migrators of one database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_245_901;

const LOOK_AGAIN_MS = 200;

/** Brings the database's tables up to date. Safe to run twice and from several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const lock = await openDatabase(databaseUrl, 1);
  const database = await openDatabase(databaseUrl, 2);
  try {
    while (!(await migrateInTurn(lock.em.fork(), database))) await sleep(LOOK_AGAIN_MS);
  } finally {
    await database.close(true);
    await lock.close(true);
  }
}

/**
 * Migrates unless another process does. Each attempt is a transaction of its own: `create index concurrently` waits
 * until every transaction ends that had a snapshot when it looked, so the lock's holder would wait for one that stays
 * open while it waits for the lock. Postgres does not see that as a deadlock.
 * @returns whether this process had its turn.
 */
function migrateInTurn(em: Em, database: Database): Promise<boolean> {
  return em.transactional(async (locking) => {
    if (!(await isLocked(locking))) return false;
    await database.migrator.up();
    return true;
  });
}

async function isLocked(em: Em): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock(:lock) as locked';
  const [row] = await em.execute<{ locked: boolean }[]>(sql, { lock: MIGRATION_LOCK });
  return row?.locked === true;
}
