import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { payoutFailedAmounts, payoutReservedAmounts } from '../../src/domain/ledger.ts';
import { recordMove } from '../../src/ledger/account-moves.ts';
import { verifySinceCheckpoint } from '../../src/ledger/ledger-checkpoint.ts';
import { writeMovement } from '../../src/ledger/write-movement.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { testAccounts } from '../support/rows/two-accounts.ts';

const SENT = { amountCents: 700, feeCents: 0 };

let db: TestDatabase;
let here: string;
let other: string;
beforeEach(async () => {
  db = await createTestDatabase();
  const { storeId, paidAt, sendsFrom } = await testAccounts(db.database).shop();
  [here, other] = [paidAt, sendsFrom];
  await em().execute(
    `insert into payouts (id, kind, store_id, dev_mode, status, amount_cents, platform_fee_cents, external_id, content_hash,
       provider, created_at, updated_at)
     select 'tran_' || status, 'PAYOUT', ?, false, status, 700, 0, status, '', ?, now(), now()
     from (values ('PENDING'), ('FAILED')) payout (status)`,
    [storeId, here],
  );
  const owner = { storeId, devMode: false, provider: here };
  const createdAt = new Date();
  const [amounts, back] = [payoutReservedAmounts(SENT), payoutFailedAmounts(SENT)];
  for (const subjectId of ['tran_PENDING', 'tran_FAILED'])
    await writeMovement(em(), owner, { kind: 'PAYOUT_RESERVED', subjectId, amounts, createdAt });
  await writeMovement(em(), owner, {
    kind: 'PAYOUT_FAILED',
    subjectId: 'tran_FAILED',
    amounts: back,
    createdAt,
  });
});
afterEach(() => db.drop());

const em = () => db.database.em.fork();
const verify = (isFull = false) => verifySinceCheckpoint(em(), new Date(), isFull);

/** Damage that no trigger sees, as a superuser does it. */
const damage = (sql: string) =>
  em().transactional(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(sql);
  });

it('finds money kept for the wrong account after a checkpoint, until it is put right', async () => {
  expect(await verify()).toMatchObject({ since: null, discrepancies: [] });
  await damage(`update clearing_balances set provider = '${other}'`);
  const { since, discrepancies } = await verify();
  expect(since).not.toBeNull();
  expect(discrepancies).toMatchObject([
    { account: 'AVAILABLE', subjectId: here, differenceCents: 700 },
    { account: 'AVAILABLE', subjectId: other, differenceCents: -700 },
  ]);
  await damage(`update clearing_balances set provider = '${here}'`);
  expect(await verify()).toMatchObject({ discrepancies: [] });
});

it('finds by --full that an account had other movements before the checkpoint', async () => {
  await verify();
  for (const table of ['clearing_balances', 'ledger_movements', 'payouts'])
    await damage(`update ${table} set provider = '${other}'`);
  const { discrepancies } = await verify(true);
  const problem = 'the movements of the account before the checkpoint are not what they were';
  expect(discrepancies).toMatchObject([
    { subjectId: here, problem },
    { subjectId: other, problem },
  ]);
});

it('reads everything after a checkpoint that lacks balances per account', async () => {
  await verify();
  await em().execute(
    'update ledger_checkpoints set up_to_number = up_to_number - 1, movements = movements - 1',
  );
  await em().execute('update ledger_checkpoints set available_cents = available_cents - 700');
  await em().execute('update ledger_checkpoints set outgoing_cents = outgoing_cents + 700');
  expect(await verify()).toMatchObject({ since: null, discrepancies: [] });
  expect(await verify()).toMatchObject({ since: expect.any(String), discrepancies: [] });
});

it('accepts recorded moves, and finds one with wrong or missing movements', async () => {
  await damage(
    `update clearing_balances set available_cents = 500; update ledger_balances set available_cents = 500`,
  );
  const move = {
    fromProvider: here,
    toProvider: other,
    amountCents: 500,
    reference: 'E1',
  };
  await em().transactional((tx) => recordMove(tx, move, new Date()));
  await damage(`update clearing_balances set available_cents = available_cents - 1200 where provider = '${here}';
    update ledger_balances set available_cents = available_cents - 1200`);
  expect(await verify()).toMatchObject({ discrepancies: [] });
  await damage(`update ledger_movements set provider = '${here}' where kind = 'MOVED_IN'`);
  expect((await verify(true)).discrepancies).toContainEqual(
    expect.objectContaining({
      account: 'ENTRY',
      problem: `movement MOVED_IN is at the account ${here}, not at ${other}`,
    }),
  );
  await damage(`delete from ledger_movements where kind = 'MOVED_IN'`);
  expect((await verify(true)).discrepancies).toContainEqual(
    expect.objectContaining({ account: 'ENTRY', problem: 'movement MOVED_IN is missing' }),
  );
});
