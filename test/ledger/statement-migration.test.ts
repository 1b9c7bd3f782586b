import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const RELEASED_BEFORE = '0038-baseline';

/** Movements as the previous release wrote them. Its trigger kept their balances and wrote their entries. */
const OLDER = `
  insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SAO PAULO', now());
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    values
      ('pix_char_1', 'PAYMENT', 'store', true, 500, 0, 420, 0, 0, 80, '2026-03-01T00:00:00Z'),
      ('bole_1', 'PAYMENT', 'store', true, 1000, 900, 0, 0, 0, 100, '2026-03-01T00:00:00Z'),
      ('bole_1', 'SETTLEMENT', 'store', true, 0, -900, 900, 0, 0, 0, '2026-03-02T00:00:00Z'),
      ('c', 'PAYMENT', 'store', false, 50, 0, 50, 0, 0, 0, '2026-03-01T00:00:00Z')`;

const NEWER = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    values ('tran_1', 'PAYOUT_FAILED', 'store', true, 100, 0, 100, 0, 0, 0, '2026-03-03T00:00:00Z')`;

it('gives older entries their method once, and lets nothing else of them change', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(OLDER);
  await migrate(url);
  await em.execute(NEWER);
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
