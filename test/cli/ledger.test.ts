import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/run.ts';
import { openAttention } from '../../src/database/attention.ts';
import type { Database, Em } from '../../src/database/orm.ts';
import type { ChargeId, PaymentId, StoreId } from '../../src/domain/ids.ts';
import { settlePart, settleReturn } from '../../src/ledger/suspense.ts';
import { MoneyUser } from '../model/money-service.ts';
import { startStandIn } from '../model/stand-in.ts';
import { createTestStore } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { insertHeldPayment } from '../support/rows/held-payment.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let db: TestDatabase;
let storeId: StoreId;

beforeAll(async () => {
  db = await createTestDatabase();
  storeId = await tradeWithEverything(db.database);
  // A database that somebody is connected to cannot be copied.
  await db.database.close(true);
});
afterAll(() => db.drop());

/** A store in which every kind of movement has been made, and money is in every account. */
async function tradeWithEverything(database: Database): Promise<StoreId> {
  const standIn = await startStandIn(database);
  try {
    const service = await standIn.newStore();
    const user = new MoneyUser(service);
    const pix = (amountCents: number) => ({ do: 'createPix', amountCents, expiresInS: 60 }) as const;
    const operations = [
      ...[100_000, 2_000, 3_000, 4_000, 5_000, 6_000].map(pix),
      { do: 'createBoleto', amountCents: 7_000 },
      { do: 'buy', method: 'CARD', quantity: 3, isDeclined: false },
      ...[0, 1, 2, 3, 4, 6].map((charge) => ({ do: 'pay', charge }) as const),
      { do: 'refund', charge: 1 },
      ...[2, 3, 4].map((charge) => ({ do: 'openDispute', charge }) as const),
      { do: 'winDispute', charge: 3 },
      { do: 'loseDispute', charge: 4 },
      { do: 'transfer', amountCents: 1_000, fails: false },
      { do: 'payout', amountCents: 40_404 },
      { do: 'finishPayouts' },
      { do: 'wait', ms: 4 * DAY_MS },
      { do: 'transfer', amountCents: 2_000, fails: false },
    ] as const;
    const answers: string[] = [];
    for (const operation of operations) answers.push(await user.do(operation));
    expect(new Set(answers)).toEqual(new Set(['ok']));
    await refuseReturns(database, service.storeId);
    return service.storeId;
  } finally {
    await standIn.close();
  }
}

/** Three payments: the second was returned by hand, and the third by hand after its payer's bank took a part. */
async function refuseReturns(database: Database, storeId: StoreId): Promise<void> {
  const em = database.em.fork();
  for (const amountCents of [8_001, 8_002, 8_003]) await refuseReturn(em, storeId, amountCents);
  await settlePart(em, 'paym_8003' as PaymentId, 3_000, new Date());
  for (const id of ['paym_8002', 'paym_8003'])
    await em.transactional((tx) => settleReturn(tx, id, 'HELD', new Date()));
}

async function refuseReturn(em: Em, storeId: StoreId, amountCents: number): Promise<void> {
  const [charge] = await em.execute<{ id: ChargeId }[]>(
    'select id from charges where amount_cents = 6000 and store_id = :storeId',
    { storeId },
  );
  if (charge === undefined) throw new Error('no charge');
  await insertHeldPayment(em, { storeId, chargeId: charge.id, amountCents });
}

async function verify(url = db.url, options: readonly string[] = []) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCli(['ledger', 'verify', ...options], {
    env: { DATABASE_URL: url },
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, out: out.join('\n'), errors: errors.join('\n') };
}

const copyOf = ({ url }: TestDatabase) => createTestDatabase(new URL(url).pathname.slice(1));

/** Changes rows without the ledger's triggers. */
async function damageTo({ database }: TestDatabase, damage: string): Promise<void> {
  await database.em.fork().transactional(async (em) => {
    // Only a superuser can switch off triggers and foreign keys.
    await em.execute('set local session_replication_role = replica');
    for (const statement of damage.split(';')) await em.execute(statement);
  });
}

/** The output for a damaged copy of the database. */
async function verifyAfter(damage: string) {
  const damaged = await copyOf(db);
  try {
    await damageTo(damaged, damage);
    return await verify(damaged.url, ['--full']);
  } finally {
    await damaged.drop();
  }
}

describe('ledger verify', () => {
  it('says that every cent is where it belongs, and what it has counted', async () => {
    const { code, out, errors } = await verify();
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^\d\d movements of 1 stores$/m);
    expect(out).toMatch(/^store blocked +3000$/m);
    expect(out).toMatch(/^on its way out +2000$/m);
    expect(out).toMatch(/^suspense +8001$/m);
    expect(out).toContain('Every cent is where it belongs.');
  });

  it('notes a drift of a cent for a person until every cent is in its place', async () => {
    const damaged = await copyOf(db);
    const open = async () =>
      (await openAttention(damaged.database, 10)).filter(({ kind }) => kind === 'LEDGER_DRIFT');
    try {
      await damageTo(damaged, 'update ledger_balances set available_cents = available_cents + 1');
      for (let times = 0; times < 2; times += 1) await verify(damaged.url);
      expect(await open()).toMatchObject([{ subjectId: 'ledger', storeId: null }]);
      await damageTo(damaged, 'update ledger_balances set available_cents = available_cents - 1');
      await verify(damaged.url);
      expect(await open()).toEqual([]);
    } finally {
      await damaged.drop();
    }
  });

  it.each([
    [
      'a refused return',
      `update ledger_movements set kind = 'RETURN_REFUSED' where kind = 'RETURN_RESERVED'`,
    ],
    [
      'a sent return',
      `delete from ledger_movements where subject_id = 'paym_8002'; delete from ledger_checkpoints`,
    ],
  ])('accepts returns that earlier releases wrote: %s', async (_, rewritten) => {
    expect(await verifyAfter(rewritten)).toMatchObject({ code: 0 });
  });

  it('prints the same as JSON', async () => {
    const { out } = await verify(db.url, ['--json']);
    expect(JSON.parse(out)).toMatchObject({ stores: 1, sums: { blockedCents: 3_000 }, discrepancies: [] });
  });

  it('names the store, the account and the cent that is off, and fails', async () => {
    const { code, out, errors } = await verifyAfter(
      'update ledger_balances set available_cents = available_cents + 1',
    );
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(`^${storeId} +dev +AVAILABLE +\\+1 +- +the balance is not the sum of the movements$`, 'm'),
    );
    expect(errors).toBe('error: the ledger is wrong in 1 place');
  });

  const FIRST = `(select id from charges where amount_cents = 100000)`;
  const UNPAID = `(select id from charges where amount_cents = 6000)`;

  it.each([
    [
      'a movement that does not balance',
      `alter table ledger_movements drop constraint ledger_movements_balanced;
       update ledger_movements set clearing_cents = clearing_cents + 1 where subject_id = ${FIRST}`,
      /CLEARING +\+1 .*movement PAYMENT does not balance/,
    ],
    [
      'a payment that was never counted',
      `delete from ledger_movements where subject_id = ${FIRST}`,
      /CLEARING +-100000 .*movement PAYMENT is missing/,
    ],
    [
      'a payment counted with another amount',
      `update charges set paid_amount_cents = paid_amount_cents + 1 where id = ${FIRST}`,
      /CLEARING +-1 .*movement PAYMENT is of another amount/,
    ],
    [
      'a payment counted with another fee',
      `update charges set platform_fee_cents = platform_fee_cents - 1 where id = ${FIRST}`,
      /PLATFORM_FEES +\+1 .*movement PAYMENT is of another amount/,
    ],
    [
      'a payment of a charge that nobody paid',
      `insert into ledger_movements select ${UNPAID}, 'PAYMENT', store_id, dev_mode, 6000, 0, 6000, 0, 0, 0, created_at, 0, 1, provider
         from ledger_movements where subject_id = ${FIRST}`,
      /CLEARING +\+6000 .*movement PAYMENT should not be there/,
    ],
    [
      'a statement with a wrong balance',
      `update statement_entries set balance_after_cents = balance_after_cents + 7
         where account = 'AVAILABLE' and sequence = (select max(sequence) from statement_entries where account = 'AVAILABLE')`,
      /AVAILABLE +\+7 .*the statement does not end with the sum of the movements/,
    ],
    [
      'a movement of another store',
      `update ledger_movements set store_id = 'store_other' where subject_id = ${FIRST}`,
      /store_other .*movement PAYMENT should not be there/,
    ],
    [
      'a settled charge whose money is still pending',
      `update charges set settled_at = paid_at where method = 'CARD'`,
      /PENDING +\+5440 .*not where it belongs/,
    ],
    [
      'an unsettled charge whose money is available',
      `update charges set settled_at = null where method = 'BOLETO'`,
      /AVAILABLE +\+6750 .*not where it belongs/,
    ],
    [
      'a completed refund without its movement',
      `delete from ledger_movements where kind = 'REFUND_COMPLETED'`,
      /OUTGOING +\+2000 .*movement REFUND_COMPLETED is missing/,
    ],
    [
      'a failed refund whose money was paid out',
      `update refunds set status = 'FAILED', refusal = 'TRANSACTION_NOT_REFUNDABLE'`,
      /movement REFUND_COMPLETED should not be there/,
    ],
    [
      'a refunded charge whose money the store still has',
      `update charges set status = 'REFUNDED' where id = ${FIRST}`,
      /AVAILABLE +\+99920 .*not where it belongs/,
    ],
    [
      'a won dispute whose money was not released',
      `delete from ledger_movements where kind = 'DISPUTE_WON'`,
      /BLOCKED +\+4000 .*movement DISPUTE_WON is missing/,
    ],
    [
      'a decided dispute whose money is still blocked',
      `update disputes set status = 'WON', closed_at = opened_at where status = 'OPEN'`,
      /BLOCKED +\+3000 .*not the sum of open disputes/,
    ],
    [
      'a failed payout whose money was not returned',
      `delete from ledger_movements where kind = 'PAYOUT_FAILED'`,
      /OUTGOING +\+40404 .*movement PAYOUT_FAILED is missing/,
    ],
    [
      'a completed transfer whose money is still outgoing',
      `update payouts set status = 'COMPLETE' where status = 'PENDING'`,
      /OUTGOING +\+2000 .*not the sum of pending refunds and payouts/,
    ],
    [
      'a held payment that is not in suspense',
      `delete from ledger_movements where subject_id = 'paym_8001'`,
      /SUSPENSE +-8001 +paym_8001 +movement RETURN_RESERVED is missing/,
    ],
    [
      'a payment marked as returned that is still in suspense',
      `update payments set outcome = 'RETURNED' where outcome = 'HELD'`,
      /SUSPENSE +\+8001 .*not the sum of payments on their way back/,
    ],
    [
      'a payment returned by hand that never left suspense',
      `delete from ledger_movements where kind = 'RETURN_SETTLED'`,
      /SUSPENSE +\+8002 +paym_8002 +movement RETURN_SETTLED is missing/,
    ],
    [
      'a returned part that never left suspense',
      `delete from ledger_movements where kind = 'RETURN_PART_SETTLED'`,
      /SUSPENSE +\+3000 +paym_\w+ +movement RETURN_PART_SETTLED is missing/,
    ],
    [
      'a part that left suspense without a return',
      'delete from payment_returns',
      /SUSPENSE +-3000 +paym_\w+ +movement RETURN_PART_SETTLED should not be there/,
    ],
    [
      'a payment at another account than its charge',
      `update ledger_movements set provider = 'pacc_other' where subject_id = ${FIRST}`,
      /ENTRY +\+1 +pix_char_\w+ +movement PAYMENT is at the account pacc_other, not at sandbox/,
    ],
    [
      'a payout whose account was changed afterwards',
      `update payouts set provider = 'pacc_other' where amount_cents = 40404`,
      /ENTRY +\+1 +tran_\w+ +movement PAYOUT_\w+ is at the account sandbox, not at pacc_other/,
    ],
    [
      'a balance of an account without movements',
      `insert into clearing_balances (store_id, dev_mode, provider, clearing_cents, available_cents)
         select store_id, false, 'pacc_none', 7, 7 from ledger_balances`,
      /CLEARING +\+7 +pacc_none +what lies at the account is not the sum of its movements/,
    ],
    [
      'accounts with more money than their store',
      `insert into clearing_balances (store_id, dev_mode, provider, clearing_cents, available_cents)
         select store_id, false, 'pacc_none', 7, 7 from ledger_balances`,
      /AVAILABLE +\+7 +- +what lies at the accounts is not what the store has/,
    ],
    [
      'money in suspense that nobody paid',
      `delete from payments where outcome = 'HELD'`,
      /SUSPENSE +\+8001 +paym_8001 +movement RETURN_RESERVED should not be there/,
    ],
  ])('finds %s', async (_, damage, found) => {
    const { code, out } = await verifyAfter(damage);
    expect(out).toMatch(found);
    expect(code).toBe(1);
  });
});

describe('ledger verify from its checkpoint', () => {
  const LONG_AGO = `(select id from charges where amount_cents = 100000)`;
  /** A copy whose checkpoint comes after all movements. */
  let copy: TestDatabase;
  beforeEach(async () => {
    copy = await copyOf(db);
    expect(await verify(copy.url, ['--full'])).toMatchObject({ code: 0 });
    await copy.database.em
      .fork()
      .execute(`update ledger_checkpoints set verified_at = now() + interval '30 days'`);
  });
  afterEach(() => copy.drop());

  const sinceOf = ({ out }: { out: string }) => JSON.parse(out).since;

  it('reports the same sums from new and older movements', async () => {
    const { out } = await verify(copy.url, ['--json', '--full']);
    const more = await verify(copy.url, ['--json']);
    expect([sinceOf({ out }), sinceOf(more)]).toEqual([null, expect.stringMatching(/^20/)]);
    expect(JSON.parse(more.out)).toEqual({ ...JSON.parse(out), since: sinceOf(more) });
    await refuseReturn(copy.database.em.fork(), storeId, 8_004);
    expect((await verify(copy.url)).out).toMatch(/^suspense +16005$/m);
  });

  it.each([
    [
      'a payment that was not counted',
      `update charges set updated_at = now() + interval '31 days', status = 'PAID', paid_at = now(), settles_at = now(), paid_amount_cents = 6000
         where amount_cents = 6000`,
      /CLEARING +-6000 .*movement PAYMENT is missing/,
    ],
    [
      'a refund that was not counted',
      `delete from ledger_movements where kind = 'REFUND_COMPLETED';
       update refunds set updated_at = now() + interval '31 days'`,
      /OUTGOING +\+2000 .*movement REFUND_COMPLETED is missing/,
    ],
    [
      'a movement of nothing',
      `insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
         blocked_cents, outgoing_cents, platform_fees_cents, created_at, provider)
       select 'tran_none', 'PAYOUT_COMPLETED', store_id, dev_mode, 0, 0, 0, 0, 0, 0, now(), 'sandbox' from ledger_balances`,
      /tran_none +movement PAYOUT_COMPLETED should not be there/,
    ],
    [
      'a balance that is not what it was and what came on top of it',
      'update ledger_balances set available_cents = available_cents + 1, clearing_cents = clearing_cents + 1',
      /AVAILABLE +\+1 .*the balance is not the sum of the movements/,
    ],
  ])('finds %s after the checkpoint', async (_, damage, found) => {
    await damageTo(copy, damage);
    for (const _again of [1, 2]) {
      const { code, out } = await verify(copy.url);
      expect(out).toMatch(found);
      expect(code).toBe(1);
    }
  });

  it('finds changes before the checkpoint with --full only, even if they add up', async () => {
    await damageTo(
      copy,
      `update charges set paid_amount_cents = paid_amount_cents + 1 where id = ${LONG_AGO};
       update ledger_movements set clearing_cents = clearing_cents + 1, available_cents = available_cents + 1
         where subject_id = ${LONG_AGO}`,
    );
    expect(await verify(copy.url)).toMatchObject({ code: 0 });
    await damageTo(
      copy,
      'update ledger_balances set clearing_cents = clearing_cents + 1, available_cents = available_cents + 1',
    );
    const { code, out } = await verify(copy.url, ['--full']);
    expect(code).toBe(1);
    expect(out).toMatch(/CLEARING +\+1 .*before the checkpoint are not what they were/);
  });

  it('counts movements with a lower number that are committed later', async () => {
    const slow = copy.database.em.fork();
    await slow.begin();
    await refuseReturn(slow, storeId, 8_003);
    const { id: other } = await createTestStore(copy.database);
    await copy.database.em.fork().execute(
      `insert into charges select (jsonb_populate_record(charge, jsonb_build_object('id', 'pix_char_other',
         'store_id', :other::text, 'provider_reference', 'other'))).* from charges charge where amount_cents = 6000`,
      { other },
    );
    await refuseReturn(copy.database.em.fork(), other, 8_004);
    const verifying = verify(copy.url);
    // A full check takes at least as long, so the run is waiting by then.
    await Promise.race([verifying, verify(db.url, ['--full'])]);
    await slow.commit();
    expect(await verifying).toMatchObject({ code: 0 });
    expect(await verify(copy.url)).toMatchObject({ code: 0 });
  });

  it('finds every cent in its place in several parallel runs', async () => {
    await refuseReturn(copy.database.em.fork(), storeId, 8_003);
    const runs = await Promise.all([[], ['--full'], [], []].map((options) => verify(copy.url, options)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(await verify(copy.url, ['--full'])).toMatchObject({ code: 0 });
  });
});
