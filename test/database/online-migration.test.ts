import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { hold } from '../support/waiting/hold.ts';

const RELEASED_BEFORE = '0038-baseline';

/** Movements as the previous release wrote them, more than one batch. */
const OLDER = `
  insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SP', now());
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    select 'pix_char_' || i, 'PAYMENT', 'store', true, 100, 0, 100, 0, 0, 0, now() from generate_series(1, 12000) i`;

const LATER = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    values ('pix_char_late', 'PAYMENT', 'store', true, 100, 0, 100, 0, 0, 0, now())`;

async function asThePreviousRelease(): Promise<TestDatabase> {
  const db = await createTestDatabase(null);
  await db.database.migrator.up({ to: RELEASED_BEFORE });
  await db.database.em.fork().execute(OLDER);
  return db;
}

/** What the migrations 47 and 169 find out about each movement. */
async function attributed({ database }: TestDatabase) {
  return database.em.fork().execute(
    `select provider, method, count(*)::int from ledger_movements
     join statement_entries using (store_id, dev_mode, subject_id, kind) group by 1, 2`,
  );
}

const ALL = [{ provider: 'sandbox', method: 'PIX', count: 12_001 }];

it("fills the columns of the previous release's rows, also those written later", async () => {
  const db = await asThePreviousRelease();
  await using closing = new AsyncDisposableStack();
  closing.defer(db.drop);
  await migrate(db.url);
  await db.database.em.fork().execute(LATER);
  expect(await attributed(db)).toEqual(ALL);
});

it('runs parallel migrations in turn, and blocks no writes behind a reader', async () => {
  const db = await asThePreviousRelease();
  await using closing = new AsyncDisposableStack();
  closing.defer(db.drop);
  const reader = await hold(db.database, 'select 1 from ledger_movements limit 1');
  const migrating = Promise.all([migrate(db.url), migrate(db.url), migrate(db.url)]);
  // The service keeps writing while the migration waits for its lock.
  await eventually(async () =>
    expect(
      await db.database.em
        .fork()
        .execute(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
    ).not.toEqual([]),
  );
  await db.database.em.fork().execute(LATER);
  await reader.release();
  await migrating;
  expect(await attributed(db)).toEqual(ALL);
});

it('keeps no transaction open while another process migrates', async () => {
  const db = await createTestDatabase();
  await using closing = new AsyncDisposableStack();
  closing.defer(db.drop);
  await using another = await hold(db.database, 'select pg_advisory_xact_lock(7245901)');
  const migrating = migrate(db.url);
  // An index that is created concurrently waits for the transactions that had a snapshot when it looked.
  const ended = `select 1 from pg_stat_activity
    where datname = current_database() and state = 'idle' and query ~* '^(commit|rollback)'`;
  await eventually(async () => expect(await db.database.em.fork().execute(ended)).not.toEqual([]));
  await another.release();
  await migrating;
});
