import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const RELEASED_BEFORE = '0015-lists-of-any-size';

/** Movements as the release before wrote them, some of one moment; their balances are kept by its trigger. */
const MOVEMENTS_OF_BEFORE = `
  insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SAO PAULO', now());
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    values
      ('b', 'SETTLEMENT', 'store', true, 0, -900, 900, 0, 0, 0, '2026-03-02T00:00:00Z'),
      ('a', 'PAYMENT', 'store', true, 500, 0, 420, 0, 0, 80, '2026-03-01T00:00:00Z'),
      ('b', 'PAYMENT', 'store', true, 1000, 900, 0, 0, 0, 100, '2026-03-01T00:00:00Z'),
      ('c', 'PAYMENT', 'store', false, 50, 0, 50, 0, 0, 0, '2026-03-01T00:00:00Z');
`;

const NEWER = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    values ('d', 'PAYMENT', 'store', true, 100, 0, 100, 0, 0, 0, '2026-03-03T00:00:00Z')`;

const ENTRIES = `
  select subject_id, kind, account, amount_cents::int as amount, balance_after_cents::int as after, dev_mode
  from statement_entries order by dev_mode, booked_at, sequence, account`;

const EXPECTED = [
  { subject_id: 'c', kind: 'PAYMENT', account: 'AVAILABLE', amount: 50, after: 50, dev_mode: false },
  { subject_id: 'a', kind: 'PAYMENT', account: 'AVAILABLE', amount: 420, after: 420, dev_mode: true },
  { subject_id: 'b', kind: 'PAYMENT', account: 'PENDING', amount: 900, after: 900, dev_mode: true },
  { subject_id: 'b', kind: 'SETTLEMENT', account: 'AVAILABLE', amount: 900, after: 1_320, dev_mode: true },
  { subject_id: 'b', kind: 'SETTLEMENT', account: 'PENDING', amount: -900, after: 0, dev_mode: true },
  { subject_id: 'd', kind: 'PAYMENT', account: 'AVAILABLE', amount: 100, after: 1_420, dev_mode: true },
];

it('gives older movements their entries once, before those of newer ones', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(MOVEMENTS_OF_BEFORE);

  await migrate(url);
  await em.execute(NEWER);
  expect(await em.execute(ENTRIES)).toEqual(EXPECTED);

  await em.execute(`delete from migrations where name like '0018-%'`);
  await migrate(url);
  expect(await em.execute(ENTRIES)).toEqual(EXPECTED);
});

it('finds existing records by their metadata', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(`
    insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SAO PAULO', now());
    insert into customers (id, store_id, dev_mode, name, country, metadata, created_at, updated_at)
      values ('cust_1', 'store', true, 'Ana', 'BR', '{"segment":"gold","visits":3,"tags":["a"]}', now(), now()),
        ('cust_2', 'store', true, 'Bia', 'BR', '{}', now(), now());
    insert into checkouts (id, store_id, dev_mode, frequency, status, amount_cents, items, methods, coupons, metadata,
        max_installments, created_at, updated_at)
      values ('bill_1', 'store', true, 'ONE_TIME', 'PENDING', 100, '[]', '{PIX}', '{}', '{"order":"A-1"}', 1, now(), now());
    insert into charges (id, store_id, dev_mode, method, status, amount_cents, platform_fee_cents, content_hash, metadata,
        provider, provider_reference, checkout_id, attempt_key, expires_at, closes_at, created_at, updated_at)
      values ('pix_char_1', 'store', true, 'PIX', 'PENDING', 100, 80, '', '{}', 'sandbox', 'x', 'bill_1', 'a', now(), now(), now(), now())`);
  await migrate(url);
  expect(await em.execute('select id, kind, key, value from metadata_entries order by key, kind')).toEqual([
    { id: 'bill_1', kind: 'ONE_TIME', key: 'order', value: 'A-1' },
    { id: 'pix_char_1', kind: 'PAYMENT', key: 'order', value: 'A-1' },
    { id: 'cust_1', kind: 'CUSTOMER', key: 'segment', value: 'gold' },
    { id: 'cust_1', kind: 'CUSTOMER', key: 'visits', value: '3' },
  ]);
});

it('lists movements written during the migration once, after the older ones', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(MOVEMENTS_OF_BEFORE);
  await migrate(url);
  // The state of a migration that stopped after it created the trigger, and before it wrote entries for existing movements.
  await em.execute(NEWER);
  await em.execute(`
    alter table statement_entries disable trigger statement_entries_never_change;
    delete from statement_entries where subject_id <> 'd';
    alter table statement_entries enable trigger statement_entries_never_change`);
  await em.execute(`delete from migrations where name like '0018-%'`);
  await migrate(url);
  expect(await em.execute(ENTRIES)).toEqual(EXPECTED);
});

it('gives older entries their method once, and lets nothing else of them change', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(MOVEMENTS_OF_BEFORE.replaceAll("'a'", "'pix_char_1'").replaceAll("'b'", "'bole_1'"));
  await migrate(url);
  await em.execute(NEWER.replace("'d', 'PAYMENT'", "'tran_1', 'PAYOUT_FAILED'"));
  const methods = 'select distinct subject_id, method from statement_entries order by subject_id';
  const expected = [
    { subject_id: 'bole_1', method: 'BOLETO' },
    { subject_id: 'c', method: null },
    { subject_id: 'pix_char_1', method: 'PIX' },
    { subject_id: 'tran_1', method: 'PIX' },
  ];
  expect(await em.execute(methods)).toEqual(expected);
  for (const change of ["method = 'CARD'", 'amount_cents = 1', "method = 'CARD', subject_id = 'c'"])
    await expect(em.execute(`update statement_entries set ${change}`)).rejects.toThrow(/never changed/);

  await em.execute(`delete from migrations where name like '0169-%'`);
  await migrate(url);
  expect(await em.execute(methods)).toEqual(expected);
});
