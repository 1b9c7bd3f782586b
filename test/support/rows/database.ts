import { randomBytes } from 'node:crypto';
import { MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type Database, openDatabase } from '../../../src/database/orm.ts';

/** A database of one test's own: cloned from the migrated template of the run, dropped by `drop`. */
export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  drop(): Promise<void>;
}

/** Enough for requests in parallel; many test databases share one server. */
const POOL_SIZE = 8;

/** Clones the template. @param template another database to clone, or null for an empty one. */
export async function createTestDatabase(template: string | null = 'recebe_template'): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(`create database ${name} ${template === null ? '' : `template ${template}`}`);
  const url = Object.assign(new URL(adminUrl()), { pathname: `/${name}` }).href;
  const database = await openDatabase(url, POOL_SIZE);
  return {
    url,
    database,
    async drop() {
      await database.close(true);
      await asAdmin(`drop database ${name} with (force)`);
    },
  };
}

function adminUrl(): string {
  const url = process.env.RECEBE_TEST_DATABASE_URL;
  if (url === undefined) throw new Error('RECEBE_TEST_DATABASE_URL is not set: run the tests with npm test');
  return url;
}

/** Runs a statement of the server's, which needs none of our tables: to learn of them takes longer than most statements. */
async function asAdmin(sql: string): Promise<void> {
  const admin = await MikroORM.init<PostgreSqlDriver>({
    driver: PostgreSqlDriver,
    clientUrl: adminUrl(),
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
  });
  try {
    await admin.em.fork().execute(sql);
  } finally {
    await admin.close(true);
  }
}
