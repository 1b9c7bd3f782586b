import { openDatabase } from './orm.ts';

/** Any number fixed for this product: migrators of one database wait for each other on this advisory lock. */
const MIGRATION_LOCK = 7_245_901;

/** Brings the database's tables up to date. Safe to run twice and from several processes at once. */
export async function migrate(databaseUrl: string): Promise<void> {
  const lock = await openDatabase(databaseUrl, 1);
  const database = await openDatabase(databaseUrl, 2);
  try {
    await lock.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(:lock)', { lock: MIGRATION_LOCK });
      await database.migrator.up();
    });
  } finally {
    await database.close(true);
    await lock.close(true);
  }
}
