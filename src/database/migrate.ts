import { setTimeout as sleep } from 'node:timers/promises';
import { type Em, openDatabase } from './orm.ts';

/** Any number fixed for this product: migrators of one database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_245_901;

const LOOK_AGAIN_MS = 200;

/** Brings the database's tables up to date. Safe to run twice and from several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const lock = await openDatabase(databaseUrl, 1);
  const database = await openDatabase(databaseUrl, 2);
  try {
    await lock.em.fork().transactional(async (em) => {
      // Asked for again and again: one that waited for it would itself be waited for, by an index that is made
      // beside all transactions.
      while (!(await isLocked(em))) await sleep(LOOK_AGAIN_MS);
      await database.migrator.up();
    });
  } finally {
    await database.close(true);
    await lock.close(true);
  }
}

async function isLocked(em: Em): Promise<boolean> {
  const sql = 'select pg_try_advisory_xact_lock(:lock) as locked';
  const [row] = await em.execute<{ locked: boolean }[]>(sql, { lock: MIGRATION_LOCK });
  return row?.locked === true;
}
