import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import type { Em } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { accountsOf } from '../../src/ledger/clearing.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

/** What the previous release has not run, though it has run migrations with higher numbers. */
const NEW = ['0047-clearing-by-account', '0048-moves-between-accounts', '0170-sub-accounts'];

/** A store that is paid at accounts a and b, and sends payouts from b, and one with the sandbox. */
const ROWS = `
  insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SAO PAULO', now());
  insert into charges (id, store_id, dev_mode, method, status, amount_cents, paid_amount_cents, platform_fee_cents,
      content_hash, metadata, provider, provider_reference, expires_at, closes_at, created_at, updated_at, paid_at, settles_at)
    select id, 'store', dev_mode, 'PIX', 'PAID', 10000, 10000, 80, '', '{}', provider, id, now(), now(), now(), now(), now(), now()
    from (values ('pix_char_a', false, 'pacc_a'), ('pix_char_b', false, 'pacc_b'), ('pix_char_dev', true, 'sandbox')
    ) charge (id, dev_mode, provider);
  insert into refunds (id, charge_id, store_id, dev_mode, status, amount_cents, created_at, updated_at)
    values ('tran_refund', 'pix_char_a', 'store', false, 'COMPLETED', 1000, now(), now());
  insert into disputes (id, charge_id, provider, provider_dispute_id, status, opened_at)
    values ('disp_b', 'pix_char_b', 'pacc_b', 'd1', 'OPEN', now());
  insert into payouts (id, kind, store_id, dev_mode, status, amount_cents, platform_fee_cents, external_id, content_hash,
      provider, created_at, updated_at)
    values ('tran_payout', 'PAYOUT', 'store', false, 'COMPLETE', 4000, 0, 'x', '', 'pacc_b', now(), now());
  insert into payments (id, charge_id, provider, provider_payment_id, outcome, amount_cents, paid_at, created_at)
    values ('paym_late', 'pix_char_a', 'pacc_a', 'e2', 'HELD', 500, now(), now())`;

/** A movement as the previous release writes it: clearing, pending, available, blocked, outgoing, fees and suspense. */
function movement(subject: string, kind: string, amounts: readonly number[], devMode = false): string {
  return `insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, suspense_cents, created_at)
    values ('${subject}', '${kind}', 'store', ${devMode}, ${amounts.join(', ')}, now())`;
}

const MOVEMENTS = [
  movement('pix_char_a', 'PAYMENT', [10_000, 9_920, 0, 0, 0, 80, 0]),
  movement('pix_char_a', 'SETTLEMENT', [0, -9_920, 9_920, 0, 0, 0, 0]),
  movement('pix_char_b', 'PAYMENT', [10_000, 0, 9_920, 0, 0, 80, 0]),
  movement('tran_refund', 'REFUND_RESERVED', [0, 0, -992, 0, 1_000, -8, 0]),
  movement('tran_refund', 'REFUND_COMPLETED', [-1_000, 0, 0, 0, -1_000, 0, 0]),
  movement('disp_b', 'DISPUTE_OPENED', [0, 0, -9_920, 10_000, 0, -80, 0]),
  movement('tran_payout', 'PAYOUT_RESERVED', [0, 0, -4_000, 0, 4_000, 0, 0]),
  movement('tran_payout', 'PAYOUT_COMPLETED', [-4_000, 0, 0, 0, -4_000, 0, 0]),
  movement('paym_late', 'RETURN_RESERVED', [500, 0, 0, 0, 0, 0, 500]),
  movement('pix_char_dev', 'PAYMENT', [10_000, 0, 9_920, 0, 0, 80, 0], true),
];

/** As many movements as a batch has room for, of nothing, between those of the first charge and those of the second one. */
const FULL_BATCH = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
      blocked_cents, outgoing_cents, platform_fees_cents, created_at)
    select 'pix_char_a' || n, 'PAYMENT', 'store', true, 0, 0, 0, 0, 0, 0, now() from generate_series(1, 5000) n`;

const AT_A = { held: 10_000 - 1_000 + 500, available: 9_920 - 992 };
const AT_B = { held: 10_000 - 4_000, available: -4_000 };

/** A database of the previous release, which each test clones: migrating costs ten times as much. */
let previous: TestDatabase;
beforeAll(async () => {
  previous = await createTestDatabase(null);
  const { migrator, em } = previous.database;
  const all = await migrator.getPending();
  const migrations = all.map(({ name }) => name).filter((name) => !NEW.includes(name));
  await migrator.up({ migrations });
  await em.fork().execute(ROWS);
  // Postgres clones no database that somebody is connected to.
  await previous.database.close(true);
});
afterAll(() => previous.drop());

let db: TestDatabase;
let em: Em;
beforeEach(async () => {
  db = await createTestDatabase(new URL(previous.url).pathname.slice(1));
  em = db.database.em.fork();
});
afterEach(() => db.drop());

async function lying(devMode = false): Promise<object> {
  // A later migration adds the column, which is not there while this one is interrupted.
  for (const table of ['clearing_balances', 'ledger_balances'])
    await em.execute(
      `alter table ${table} add column if not exists sub_accounts_cents bigint not null default 0`,
    );
  const accounts = await accountsOf(db.database.em.fork(), { storeId: 'store' as StoreId, devMode });
  return Object.fromEntries(
    accounts.map(({ id, heldCents: held, availableCents: available }) => [id, { held, available }]),
  );
}

async function attributed(): Promise<object> {
  const rows = await em.execute<{ provider: string; subjects: string }[]>(
    `select provider, string_agg(distinct subject_id, ' ' order by subject_id) as subjects
     from ledger_movements group by provider`,
  );
  return Object.fromEntries(rows.map(({ provider, subjects }) => [provider, subjects]));
}

const BY_SUBJECT = {
  pacc_a: 'paym_late pix_char_a tran_refund',
  pacc_b: 'disp_b pix_char_b tran_payout',
  sandbox: 'pix_char_dev',
};

describe('the migration that attributes the ledger to accounts', () => {
  it('gives every movement the account of its charge, refund, dispute or payout', async () => {
    for (const each of MOVEMENTS) await em.execute(each);
    await migrate(db.url);
    expect(await attributed()).toEqual(BY_SUBJECT);
    expect(await lying()).toEqual({ pacc_a: AT_A, pacc_b: AT_B });
    expect(await lying(true)).toEqual({ sandbox: { held: 10_000, available: 9_920 } });
  });

  it('assigns accounts to movements that the previous release writes later', async () => {
    await migrate(db.url);
    for (const each of MOVEMENTS) await em.execute(each);
    expect(await attributed()).toEqual(BY_SUBJECT);
    expect(await lying()).toEqual({ pacc_a: AT_A, pacc_b: AT_B });
  });

  it('counts every movement once if it is interrupted and run again', async () => {
    for (const each of MOVEMENTS.slice(0, 5)) await em.execute(each);
    await em.execute(FULL_BATCH);
    // It stops in its second batch: the first one is counted, and the guard of the ledger is still open.
    await em.execute(`create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$;
      create trigger a_stop before update on ledger_movements for each row when (old.subject_id >= 'pix_char_b') execute function stop()`);
    await expect(migrate(db.url)).rejects.toThrow('stopped');
    expect(await lying()).toMatchObject({ pacc_a: { held: 10_000, available: 9_920 } });
    for (const each of MOVEMENTS.slice(5)) await em.execute(each);
    await em.execute('drop trigger a_stop on ledger_movements; drop function stop()');
    await migrate(db.url);
    await em.execute(`delete from migrations where name like '0047-%'`);
    await migrate(db.url);
    expect(await lying()).toEqual({ pacc_a: AT_A, pacc_b: AT_B });
  });

  it.each([
    ['an account', `update ledger_movements set provider = 'pacc_b'`],
    ['an amount', 'update ledger_movements set available_cents = 0'],
    ['nothing', `update ledger_movements set kind = 'PAYMENT' where false`],
  ])('leaves a ledger that refuses to change %s', async (_, update) => {
    for (const each of MOVEMENTS) await em.execute(each);
    await migrate(db.url);
    await expect(em.execute(update)).rejects.toThrow('is never changed');
  });
});
