import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAudit } from '../../src/audit-log/verify-audit.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Em } from '../../src/database/orm.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { schemaOf } from '../support/rows/schema-of.ts';

/**
 * The tables of commit d26f640 as pg_dump prints them, and what its API and worker wrote: open and paid charges of each method, a
 * dispute, refunds that ended and that did not, subscriptions of which one is past due, payouts, and deliveries that are being
 * retried. Names and numbers are made up.
 */
const OLDEST = gunzipSync(readFileSync(join(import.meta.dirname, 'oldest-data.sql.gz'))).toString();

/** The numbers of later migrations in the order of their commits, in which a database may have run them. */
const AS_COMMITTED = [
  39, 40, 42, 54, 51, 49, 45, 47, 48, 50, 43, 53, 44, 46, 55, 52, 56, 58, 59, 57, 60, 61, 62, 63, 64, 65, 68,
  66, 77, 69, 70, 72, 78, 71, 83, 75, 76, 88, 89, 86, 87, 90, 84, 85, 95, 96, 99, 102, 100, 101, 107, 103,
  108, 113, 114, 109, 115, 116, 117, 118, 119, 122, 134, 123, 129, 135, 127, 132, 133, 136, 137, 153, 140,
  138, 154, 165, 155, 169, 166, 170, 171,
];

type Rows = Record<string, readonly object[]>;

/** Clones cost less than loading the rows again. */
let oldest: TestDatabase;
let oldestRows: Rows;
/** The tables and migrations of a new database. */
let today: object;
let todaysNames: string[];
/** The oldest data, brought up to date by three processes at once. */
let migrated: Awaited<ReturnType<typeof open>>;
let migratedRows: Rows;
beforeAll(async () => {
  oldest = await createTestDatabase(null);
  const em = oldest.database.em.fork();
  await em.execute(OLDEST);
  oldestRows = await rowsOf(em);
  // Postgres clones no database that somebody is connected to.
  await oldest.database.close(true);
  await using current = await open();
  today = await schemaOf(current.em);
  todaysNames = await namesOf(current.em);
  migrated = await openOldest();
  await Promise.all([migrate(migrated.url), migrate(migrated.url), migrate(migrated.url)]);
  migratedRows = await rowsOf(migrated.em);
});
afterAll(async () => {
  await migrated[Symbol.asyncDispose]();
  await oldest.drop();
});

/** A database that is dropped at the end of its scope. @param template as in `createTestDatabase`. */
async function open(template?: string | null) {
  const { url, database, drop } = await createTestDatabase(template);
  return { url, em: database.em.fork(), migrator: database.migrator, [Symbol.asyncDispose]: drop };
}

const openOldest = () => open(new URL(oldest.url).pathname.slice(1));

/** The rows of each table in one order, without the salts of the audit log and what is computed with them. */
async function rowsOf(em: Em): Promise<Rows> {
  const tables = await em.execute<{ name: string }[]>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
  );
  const rows: Rows = {};
  for (const { name } of tables) {
    const found = await em.execute<{ row: object }[]>(
      `select to_jsonb(t) - '{salt,hash,previous_hash,personal_digest}'::text[] as row from ${name} t order by 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

const counted = (rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]));

const namesOf = async (em: Em) =>
  (await em.execute<{ name: string }[]>('select name from migrations order by id')).map(({ name }) => name);

describe('the baseline', () => {
  it('creates the oldest tables', async () => {
    await using created = await open(null);
    await created.migrator.up({ to: '0038-baseline' });
    await using loaded = await openOldest();
    expect(await schemaOf(created.em)).toEqual(await schemaOf(loaded.em));
  });

  it('keeps tables that exist, and is recorded once', async () => {
    const names = await namesOf(migrated.em);
    expect(names.slice(0, 37).at(-1)).toBe('0038-deliveries-by-last-look');
    expect(names.slice(37)).toEqual(todaysNames);
  });

  it('refuses a database that has run only some of what it replaces', async () => {
    await using db = await openOldest();
    await db.em.execute(`delete from migrations where name like '0038-%'`);
    await expect(migrate(db.url)).rejects.toThrow('has run 36 of the first 37 migrations');
    expect(await namesOf(db.em)).toHaveLength(36);
  });
});

describe('the oldest data', () => {
  it('gets the tables of a new database and keeps its rows', async () => {
    expect(await schemaOf(migrated.em)).toEqual(today);
    expect(counted(migratedRows)).toMatchObject(counted(oldestRows));
  });

  it('keeps every cent, and counts it at its account', async () => {
    expect(migratedRows.ledger_balances).toMatchObject(oldestRows.ledger_balances ?? []);
    expect(await verifyLedger(migrated.em)).toMatchObject({ movements: 40, discrepancies: [] });
    expect(
      await migrated.em.execute(
        'select clearing_cents::int as held, available_cents::int as available from clearing_balances',
      ),
    ).toEqual([{ held: 41_500, available: 34_848 }]);
  });

  it('gets methods of entries, a chain of audit lines, and its runs replaced', async () => {
    expect(
      await migrated.em.execute(
        'select method, count(*)::int as entries from statement_entries group by method order by method',
      ),
    ).toEqual([
      { method: 'BOLETO', entries: 1 },
      { method: 'CARD', entries: 10 },
      { method: 'PIX', entries: 28 },
    ]);
    expect(await verifyAudit(migrated.em, new Date(), true)).toMatchObject({ lines: 2, faults: [] });
    expect(await migrated.em.execute('select generation, done_at from workflow_generations')).toEqual([
      { generation: 1, done_at: null },
      { generation: 2, done_at: null },
    ]);
  });
});

describe('a database between the oldest and this one', () => {
  it.each([12, 60])('gets the same tables and rows after %s migrations', async (count) => {
    await using db = await openOldest();
    const pending = await db.migrator.getPending();
    for (const number of AS_COMMITTED.slice(0, count)) {
      const migrations = pending
        .map(({ name }) => name)
        .filter((name) => Number(name.slice(0, 4)) === number);
      await db.migrator.up({ migrations });
    }
    await migrate(db.url);
    expect(await schemaOf(db.em)).toEqual(today);
    expect(await rowsOf(db.em)).toEqual(migratedRows);
  });

  it('gets what the first forms of changed migrations lack', async () => {
    await using db = await open();
    await db.em.execute(`
      alter table refunds add constraint refunds_initiated_by check (initiated_by in ('STORE', 'BANK'));
      alter table reminder_settings alter column steps type jsonb using steps::jsonb;
      alter table sandbox_debits alter column retry_dates set default '[]';
      alter table mandates drop column asked_at;
      create index mandates_open on mandates (id) where status in ('PENDING', 'ACTIVE');
      alter table portal_settings drop column changes_email;
      alter table payer_sign_ins drop column new_email_code_hash, drop column shown_new_email_code;
      delete from migrations where name = '0173-first-forms'`);
    await migrate(db.url);
    expect(await schemaOf(db.em)).toEqual(today);
  });
});
