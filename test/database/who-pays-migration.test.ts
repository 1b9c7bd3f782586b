import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import type { Em } from '../../src/database/orm.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const RELEASED_BEFORE = '0005-subscription-totals';

/** Rows as the release before wrote them, without those around them that the migration does not read. */
const ROWS_OF_BEFORE = `
  set session_replication_role = replica;
  insert into customers (id, store_id, dev_mode, tax_id, name, country, metadata, created_at, updated_at, deleted_at)
    select id, 'store', true, tax_id, name, 'BR', '{}', now(), now(), deleted_at
    from (values ('known', '52998224725', 'Ana', null), ('erased', null, null, now())) as of (id, tax_id, name, deleted_at);
  insert into charges (id, customer_id, method, status, checkout_id, installment_id, external_id, store_id, dev_mode,
      amount_cents, platform_fee_cents, content_hash, metadata, provider, provider_reference, br_code,
      expires_at, closes_at, created_at, updated_at)
    select of.*, of.id, 'store', true, 1000, 80, '', '{}', 'sandbox', of.id, '', now(), now(), now(), now()
    from (values
      ('lapsed boleto', 'known', 'BOLETO', 'EXPIRED', null, null),
      ('boleto of an erased', 'erased', 'BOLETO', 'PENDING', null, null),
      ('open PIX', 'known', 'PIX', 'PENDING', null, null),
      ('lapsed PIX', 'known', 'PIX', 'EXPIRED', null, null),
      ('PIX of a checkout', 'known', 'PIX', 'PENDING', 'bill', null),
      ('lapsed PIX of a cycle', 'known', 'PIX', 'EXPIRED', 'bill', 'in cancelled')
    ) as of (id, customer_id, method, status, checkout_id, installment_id);
  insert into subscriptions (id, status, store_id, dev_mode, checkout_id, metadata, coupons, method, plan, amount_cents,
      cycle, max_retry, retry_every_days, anchor_at, anchor_number, cycle_number, cycle_starts_at, cycle_ends_at,
      failed_attempts, created_at, updated_at)
    select lower(status), status, 'store', true, status, '{}', '{}', 'PIX', '{}', 1000,
      'MONTHLY', 1, 1, now(), 1, 1, now(), now(), 0, now(), now()
    from (values ('CANCELLED'), ('ACTIVE')) as of (status);
  insert into installments (id, subscription_id, number, status, amount_cents, usage_cents, starts_at, ends_at, created_at)
    select 'in ' || id, id, 1, 'PENDING', 1000, 0, now(), now(), now() from subscriptions;
  set session_replication_role = origin;
`;

const byId = async (em: Em, sql: string) => {
  const rows = await em.execute<{ id: string }[]>(sql);
  return Object.fromEntries(rows.map(({ id, ...rest }) => [id, rest]));
};

it('keeps the printed payer of boletos and fails cycles that nobody paid', async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(ROWS_OF_BEFORE);

  await migrate(url);

  const unnamed = { payer_name: null, payer_tax_id: null };
  const named = { payer_name: 'Ana', payer_tax_id: '52998224725' };
  const columns = 'id, status, failure_reason, payer_name, payer_tax_id';
  expect(await byId(em, `select ${columns} from charges`)).toEqual({
    'lapsed boleto': { status: 'EXPIRED', failure_reason: null, ...named },
    'boleto of an erased': { status: 'PENDING', failure_reason: null, ...unnamed },
    'open PIX': { status: 'PENDING', failure_reason: null, ...named },
    'lapsed PIX': { status: 'EXPIRED', failure_reason: null, ...unnamed },
    'PIX of a checkout': { status: 'PENDING', failure_reason: null, ...unnamed },
    'lapsed PIX of a cycle': { status: 'FAILED', failure_reason: 'pix_expired', ...unnamed },
  });
  expect(await byId(em, 'select id, status from installments')).toEqual({
    'in cancelled': { status: 'FAILED' },
    'in active': { status: 'PENDING' },
  });
  expect(await byId(em, 'select id, typed_by_payer from customers')).toEqual({
    known: { typed_by_payer: false },
    erased: { typed_by_payer: false },
  });
});
