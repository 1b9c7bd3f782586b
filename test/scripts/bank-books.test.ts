import { describe, expect, it } from '@jest/globals';
import type { BankShop } from '../../scripts/chaos/bank/bank-shop.ts';
import { compareBank } from '../../scripts/chaos/differences/bank.ts';
import type { MoneyRows } from '../../scripts/chaos/real-money/money-rows.ts';
import { type BankRefund, type BankState, emptyState } from '../../scripts/psp/state.ts';

/** A deeply mutable copy, so that tests can introduce differences. */
type Changeable<Value> = Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | string
  ? Value
  : { -readonly [Key in keyof Value]: Changeable<Value[Key]> };

const TXIDS = ['PAIDTWICE', 'PARTLYBACK', 'CANCELLED'].map((name) => name.padStart(26, '0'));
const [PAID = '', PARTLY = '', CANCELLED = ''] = TXIDS;

const cob = (txid: string, status: string) => ({
  [txid]: { txid, kind: 'cob', asked: { valor: { original: '10.00' } }, status },
});
const refundAt = (
  id: string,
  amountCents: number,
  status: BankRefund['status'],
  kind: BankRefund['kind'] = 'ORIGINAL',
) => ({ id, amountCents, status, kind });
const takenBackAt = (id: string, amountCents: number, status: BankRefund['status']) =>
  refundAt(id, amountCents, status, 'MED_FRAUDE');
const paymentAt = (endToEndId: string, txid: string, refunds: object[] = []) => ({
  [endToEndId]: { endToEndId, txid, amountCents: 1_000, paidAt: '2026-12-04T14:23:41.377Z', refunds },
});

const sentAt = (id: string, endToEndId: string, returns: object[]) => ({
  ...{ id, amountCents: 500, status: 'REALIZADO', endToEndId, returns },
});
const payout = (
  id: string,
  status: string,
  cents: number,
  endToEndId: string | null,
  returns: readonly { readonly rtrId: string; readonly cents: number }[],
) => ({
  ...{ id, externalId: id, kind: 'PAYOUT', status, cents, endToEndId, returns },
  returnedCents: returns.reduce((total, each) => total + each.cents, 0),
});

/**
 * Consistent bank books, rows and clients: a charge paid twice, one refunded and disputed in part, one
 * cancelled, and two payouts.
 */
function fixture() {
  const state = {
    ...emptyState(),
    charges: {
      ...cob(PAID, 'CONCLUIDA'),
      ...cob(PARTLY, 'CONCLUIDA'),
      ...cob(CANCELLED, 'REMOVIDA_PELO_USUARIO_RECEBEDOR'),
      ...cob('NEVERSTORED', 'REMOVIDA_PELO_USUARIO_RECEBEDOR'),
    },
    payments: {
      ...paymentAt('E1', PAID, [takenBackAt('MED1', 300, 'NAO_REALIZADO')]),
      ...paymentAt('E2', PAID, [refundAt('paym2', 1_000, 'DEVOLVIDO')]),
      ...paymentAt('E3', PARTLY, [
        refundAt('tran1', 400, 'DEVOLVIDO'),
        refundAt('tran2', 400, 'NAO_REALIZADO'),
        takenBackAt('MED2', 200, 'DEVOLVIDO'),
      ]),
    },
    transfers: {
      tran3: sentAt('tran3', 'E9', [{ rtrId: 'D1', amountCents: 200 }]),
      tran5: sentAt('tran5', 'E8', [{ rtrId: 'D2', amountCents: 500 }]),
    },
  };
  const charge = (id: string, reference: string, status: string) => ({
    ...{ id, reference, status, cents: 1_000, feeCents: 80 },
  });
  const payment = (id: string, chargeId: string, providerPaymentId: string, outcome: string) => ({
    ...{ id, chargeId, providerPaymentId, outcome, cents: 1_000 },
  });
  const rows = {
    charges: [charge('c1', PAID, 'PAID'), charge('c2', PARTLY, 'PAID'), charge('c3', CANCELLED, 'CANCELLED')],
    payments: [
      payment('paym_1', 'c1', 'E1', 'ACCEPTED'),
      payment('paym_2', 'c1', 'E2', 'RETURNED'),
      payment('paym_3', 'c2', 'E3', 'ACCEPTED'),
    ],
    refunds: [
      { id: 'tran_1', chargeId: 'c2', status: 'COMPLETED', cents: 400, feeCents: 32 },
      { id: 'tran_2', chargeId: 'c2', status: 'FAILED', cents: 400, feeCents: 32 },
    ],
    disputes: [
      { chargeId: 'c1', providerDisputeId: 'E1/MED1', status: 'WON', cents: 300, feeCents: 24 },
      { chargeId: 'c2', providerDisputeId: 'E3/MED2', status: 'LOST', cents: 200, feeCents: 16 },
    ],
    payouts: [
      payout('tran_3', 'COMPLETE', 500, 'E9', [{ rtrId: 'D1', cents: 200 }]),
      payout('tran_4', 'FAILED', 2_001, null, []),
      payout('tran_5', 'REFUNDED', 500, 'E8', [{ rtrId: 'D2', cents: 500 }]),
    ],
    keptCodes: [],
    account: 'pacc_1',
    accounts: [{ provider: 'pacc_1', cents: 1_000 + 400 - 300 }],
    ledger: { held: 920 + 920 - 368 - 184 - 300, suspense: 0 },
  };
  const known = (id: string, isPaid: boolean) => ({ id, amountCents: 1_000, isPaid });
  const shop = {
    charges: [known('c1', true), known('c2', true), known('c3', false)],
    refundIds: new Set(['tran_1', 'tran_2']),
    payouts: [
      { id: 'tran_3', amountCents: 500 },
      { id: 'tran_4', amountCents: 2_001 },
      { id: 'tran_5', amountCents: 500 },
    ],
    refusedInDoubt: new Set<string>(),
  };
  return {
    state: state as unknown as Changeable<BankState>,
    rows: rows as unknown as Changeable<MoneyRows>,
    shop: shop as unknown as BankShop,
  };
}
type Fixture = ReturnType<typeof fixture>;

const foundAfter = (change: (fixture: Fixture) => unknown) => {
  const changed = fixture();
  change(changed);
  return compareBank(changed.state as unknown as BankState, changed.rows as MoneyRows, changed.shop).join(
    '\n',
  );
};

it('finds no differences between consistent books', () => {
  expect(foundAfter(() => null)).toBe('');
});

describe('a difference is found where', () => {
  it.each<[string, (fixture: Fixture) => unknown, string]>([
    [
      'the bank has a charge that nobody stored',
      ({ state }) => Object.assign(state.charges, cob('X', 'ATIVA')),
      'X (ATIVA)',
    ],
    ['a charge is unknown to the bank', ({ state }) => delete state.charges[CANCELLED], 'c3'],
    [
      'a cancelled charge can be paid',
      ({ state }) => Object.assign(state.charges, cob(CANCELLED, 'ATIVA')),
      'c3',
    ],
    [
      'a charge is of another amount',
      ({ rows }) => Object.assign(rows.charges[2] ?? {}, { cents: 999 }),
      'c3',
    ],
    ['a payment is lost', ({ rows }) => rows.payments.pop(), 'E3'],
    [
      'a payment is written twice',
      ({ rows }) => rows.payments.push({ ...rows.payments[0], id: 'paym_9' } as never),
      'E1',
    ],
    ['a payment was made up', ({ state }) => delete state.payments.E1, 'knows no payment E1'],
    [
      'two payments are accepted',
      ({ rows }) => Object.assign(rows.payments[1] ?? {}, { outcome: 'ACCEPTED' }),
      'c1 has 2',
    ],
    [
      'a payment has another amount',
      ({ rows }) => Object.assign(rows.payments[0] ?? {}, { cents: 999 }),
      'E1',
    ],
    [
      'what a bank took back is no dispute',
      ({ state }) => state.payments.E1?.refunds.push(takenBackAt('MED9', 100, 'DEVOLVIDO') as never),
      'E1/MED9 took 100 back',
    ],
    [
      'a dispute of another amount was lost',
      ({ rows }) => Object.assign(rows.disputes[1] ?? {}, { cents: 199 }),
      'E3/MED2 took 200 back',
    ],
    [
      'a dispute is lost that the bank has not carried out',
      ({ rows }) => Object.assign(rows.disputes[0] ?? {}, { status: 'LOST' }),
      'E1/MED1',
    ],
    [
      'a dispute was made up',
      ({ state }) => state.payments.E1?.refunds.pop(),
      'knows nothing of the dispute E1/MED1',
    ],
    ['a return was never sent', ({ state }) => state.payments.E2?.refunds.pop(), 'E2'],
    ['a refund was never sent', ({ state }) => state.payments.E3?.refunds.shift(), 'tran_1'],
    [
      'a refund was sent twice',
      ({ state }) => state.payments.E3?.refunds.push(refundAt('tran1', 1, 'DEVOLVIDO') as never),
      'twice',
    ],
    ['a refund is not known here', ({ rows }) => rows.refunds.shift(), 'tran1'],
    [
      'a refund that failed is complete',
      ({ rows }) => Object.assign(rows.refunds[1] ?? {}, { status: 'COMPLETED' }),
      'tran_2',
    ],
    [
      'a charge is REFUNDED by a part',
      ({ rows }) => Object.assign(rows.charges[1] ?? {}, { status: 'REFUNDED' }),
      'c2',
    ],
    ['money was sent that nobody asked for', ({ rows }) => rows.payouts.shift(), 'tran3'],
    ['money that is complete was not sent', ({ state }) => delete state.transfers.tran3, 'tran_3'],
    [
      'a payout that was refused is complete',
      ({ rows }) => Object.assign(rows.payouts[1] ?? {}, { status: 'COMPLETE' }),
      'tran_4',
    ],
    [
      'the ledger is a cent off',
      ({ rows }) => Object.assign(rows.accounts[0] ?? {}, { cents: 1_101 }),
      '1101 cents in pacc_1',
    ],
    [
      'a cent lies at another account',
      ({ rows }) => rows.accounts.push({ provider: 'pacc_2', cents: 1 }),
      '1 cents in pacc_2',
    ],
    [
      'what came back is not booked',
      ({ rows }) => Object.assign(rows.payouts[0] ?? {}, { returns: [], returnedCents: 0 }),
      'tran_3 has 0 back',
    ],
    [
      'a payout that came back in full is complete',
      ({ rows }) => Object.assign(rows.payouts[2] ?? {}, { status: 'COMPLETE' }),
      'tran_5 of 500 is COMPLETE',
    ],
    [
      'a payment is held of which nothing is left',
      ({ rows }) => Object.assign(rows.payments[1] ?? {}, { outcome: 'HELD' }),
      'E2 is HELD, and at the bank RETURNED',
    ],
    [
      'the store has a cent more',
      ({ rows }) => Object.assign(rows.ledger, { held: rows.ledger.held + 1 }),
      'held',
    ],
    [
      'a part of a held payment is still in suspense',
      ({ state, rows }) => {
        Object.assign(state.payments.E2 ?? {}, {
          refunds: [refundAt('paym2', 1_000, 'NAO_REALIZADO'), takenBackAt('MED8', 400, 'DEVOLVIDO')],
        });
        Object.assign(rows.payments[1] ?? {}, { outcome: 'HELD' });
        Object.assign(rows.ledger, { suspense: 1_000 });
      },
      "1000 cents in suspense, where the bank's books make 600",
    ],
    ['a cent is in suspense', ({ rows }) => Object.assign(rows.ledger, { suspense: 1 }), 'suspense'],
    [
      'a client was promised a charge that is lost',
      ({ shop }) => shop.charges.push({ id: 'c9', amountCents: 1, isPaid: false }),
      'c9',
    ],
    ['a charge is known to no client', ({ shop }) => shop.charges.pop(), 'c3'],
    [
      'a payer has paid what is cancelled',
      ({ shop }) => Object.assign(shop.charges[2] ?? {}, { isPaid: true }),
      'c3',
    ],
    ['a refund was promised and is lost', ({ shop }) => shop.refundIds.add('tran_8'), 'tran_8'],
    [
      'a payout was promised and is lost',
      ({ shop }) => shop.payouts.push({ id: 'tran_7', amountCents: 1 }),
      'tran_7',
    ],
  ])('%s', (_, change, named) => {
    expect(foundAfter(change)).toContain(named);
  });
});
