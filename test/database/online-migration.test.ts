import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { hold } from '../support/waiting/hold.ts';

const RELEASED_BEFORE = '0014-encrypted-secrets';

/** Events and deliveries as the release before wrote them, more than one batch. */
const ROWS_OF_BEFORE = `
  insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SP', now());
  insert into webhooks (id, store_id, dev_mode, name, endpoint, secret, events, v2, created_at, updated_at)
    values ('webh', 'store', true, '', '', '', '{}', true, now(), now());
  insert into events (id, store_id, dev_mode, name, key, data, created_at)
    select 'evnt_' || i, 'store', true, 'transparent.completed', i, '{}', now() from generate_series(1, 12001) i;
  insert into deliveries (id, event_id, webhook_id, status, attempts, created_at)
    select 'log_' || i, 'evnt_' || i, 'webh', 'DELIVERED', 1, now() from generate_series(1, 12000) i;
`;

const DELIVERY_OF_BEFORE = `
  insert into deliveries (id, event_id, webhook_id, status, attempts, created_at)
  values ('log_late', 'evnt_12001', 'webh', 'PENDING', 0, now())`;

async function asTheReleaseBefore(): Promise<TestDatabase> {
  const db = await createTestDatabase(null);
  await db.database.migrator.up({ to: RELEASED_BEFORE });
  await db.database.em.fork().execute(ROWS_OF_BEFORE);
  return db;
}

async function ownersOf({ database }: TestDatabase) {
  return database.em
    .fork()
    .execute(
      `select store_id, dev_mode, event_name, count(*)::int as count from deliveries group by 1, 2, 3 order by 1`,
    );
}

const OWNER = { store_id: 'store', dev_mode: true, event_name: 'transparent.completed' };

it("gives the previous release's deliveries their owner, also those written later", async () => {
  const db = await asTheReleaseBefore();
  await using closing = new AsyncDisposableStack();
  closing.defer(db.drop);
  await migrate(db.url);
  await db.database.em.fork().execute(DELIVERY_OF_BEFORE);
  expect(await ownersOf(db)).toEqual([{ ...OWNER, count: 12_001 }]);
});

it('runs parallel migrations in turn, and blocks no writes behind a reader', async () => {
  const db = await asTheReleaseBefore();
  await using closing = new AsyncDisposableStack();
  closing.defer(db.drop);
  const reader = await hold(db.database, 'select 1 from deliveries limit 1');
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
  await db.database.em.fork().execute(DELIVERY_OF_BEFORE);
  await reader.release();
  await migrating;
  expect(await ownersOf(db)).toEqual([{ ...OWNER, count: 12_001 }]);
});
