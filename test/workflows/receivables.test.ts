import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { followInstallmentDays } from '../../src/charges/receivables/move-days.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Receivable, ReceivableEntity } from '../../src/database/entities/receivable.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { settleCharges } from '../../src/ledger/settle-charges.ts';
import { settlingUntil } from '../../src/ledger/settling.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';

/** A test card whose installments are paid one by one. */
const IN_PARTS = '4000000000000036';
/** R$ 100.00 less 3.5 % and 60 cents, in three installments of 33.34, 33.33 and 33.33. */
const NETS = [3_334 - 136, 3_333 - 137, 3_333 - 137];

let app: MoneyApp;
let api: ApiClient;
let storeId: StoreId;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api, storeId } = await app.anotherStore());
});

const emOf = () => app.database.em.fork();

async function paidInThree(): Promise<Charge> {
  const product = { externalId: 'curso', name: 'Curso', price: 10_000, currency: 'BRL' };
  const { id: productId } = dataOf<{ id: string }>(await api.post('/v2/products/create', product));
  const order = { items: [{ id: productId, quantity: 1 }], card: { maxInstallments: 3 } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/checkouts/create', order));
  const paid = await api.post('/v2/checkouts/simulate-payment', {
    ...{ id, method: 'CARD', card: { number: IN_PARTS }, installments: 3 },
  });
  expect(paid.status).toBe(200);
  return emOf().findOneOrFail(ChargeEntity, { storeId, status: 'PAID' });
}

const chargeNow = (id: ChargeId) => emOf().findOneOrFail(ChargeEntity, { id });

function receivablesNow(chargeId: ChargeId): Promise<Receivable[]> {
  return emOf().find(ReceivableEntity, { chargeId }, { orderBy: { number: 'asc' } });
}

async function balance() {
  const { available, pending, blocked } = dataOf<{
    balance: Record<'available' | 'pending' | 'blocked', number>;
  }>(await api.get('/v2/store/get')).balance;
  return { available, pending, blocked };
}

const dayAfter = (charge: Charge, days: number): CivilDate =>
  addDays(saoPauloDateOf(charge.paidAt ?? new Date(0)), days);

/** The calendar for a year. */
const calendar = (charge: Charge) => settlingUntil(emOf(), { storeId, devMode: true }, dayAfter(charge, 365));

const booksAreRight = async () => expect((await verifyLedger(emOf(), storeId)).discrepancies).toEqual([]);

function namedBy(charge: Charge, days: readonly CivilDate[]): ProviderPayment {
  const cents = [3_334, 3_333, 3_333];
  return {
    ...{
      providerPaymentId: 'p',
      reference: charge.providerReference,
      amountCents: 10_000,
      paidAt: new Date(),
    },
    payer: { name: null, taxId: null },
    installments: days.map((day, index) => ({
      amountCents: cents[index] ?? 0,
      settlesAt: saoPauloMidnight(day),
    })),
  };
}

describe('installments that are paid one by one', () => {
  it('makes each available on its own day, and shows each in the calendar', async () => {
    const charge = await paidInThree();
    expect(await balance()).toEqual({ available: 0, pending: 9_590, blocked: 0 });
    const [first = 0, second = 0, third = 0] = NETS;
    const days = [30, 60, 90].map((days) => dayAfter(charge, days));
    expect(await calendar(charge)).toEqual(NETS.map((netCents, index) => ({ day: days[index], netCents })));
    await advance(api, { by: 'P31D' });
    expect(await balance()).toEqual({ available: first, pending: second + third, blocked: 0 });
    expect(await calendar(charge)).toEqual([
      { day: days[1], netCents: second },
      { day: days[2], netCents: third },
    ]);
    const next = await chargeNow(charge.id);
    expect([next.settledAt, next.settlesAt && saoPauloDateOf(next.settlesAt)]).toEqual([null, days[1]]);
    await advance(api, { by: 'P62D' });
    expect(await balance()).toEqual({ available: 9_590, pending: 0, blocked: 0 });
    expect((await chargeNow(charge.id)).settledAt).not.toBeNull();
    const movements = dataOf<{ kind: string; paymentId: string; account: string }[]>(
      await api.get('/v2/balance/movements?limit=100'),
    );
    const settled = movements.filter(({ kind, account }) => kind === 'SETTLEMENT' && account === 'AVAILABLE');
    expect(settled.map(({ paymentId }) => paymentId)).toEqual([charge.id, charge.id, charge.id]);
    await booksAreRight();
  });

  it('takes a partial refund from the last of them', async () => {
    const charge = await paidInThree();
    const { id } = charge;
    expect((await api.post('/v2/checkouts/refund', { id, amount: 5_000 })).status).toBe(200);
    const back = 5_000 - 205;
    const [first = 0, second = 0, third = 0] = NETS;
    expect((await calendar(charge)).map(({ netCents }) => netCents)).toEqual([first, second + third - back]);
    await advance(api, { by: 'P31D' });
    expect(await balance()).toEqual({ available: first, pending: second + third - back, blocked: 0 });
    await advance(api, { by: 'P62D' });
    expect(await balance()).toEqual({ available: 9_590 - back, pending: 0, blocked: 0 });
    await booksAreRight();
  });

  it('blocks all in a dispute, and settles those of the past once it is won', async () => {
    const { id } = await paidInThree();
    await advance(api, { by: 'P31D' });
    const opened = await api.post('/v2/dev/disputes/open', { id });
    expect(opened.status).toBe(200);
    expect(await balance()).toEqual({ available: 0, pending: 0, blocked: 10_000 });
    await advance(api, { by: 'P31D' });
    await api.post('/v2/dev/disputes/win', { id });
    const [first = 0, second = 0, third = 0] = NETS;
    await advance(api, { by: 'P1D' });
    expect(await balance()).toEqual({ available: first + second, pending: third, blocked: 0 });
    await booksAreRight();
  });

  it('settles once although two workers and a repetition settle the day', async () => {
    const charge = await paidInThree();
    const now = saoPauloMidnight(dayAfter(charge, 61));
    const settle = () => settleCharges(app.database, { storeId, devMode: true }, now, async () => {});
    await Promise.all([settle(), settle()]);
    expect(await settle()).toBe(0);
    expect(await balance()).toMatchObject({ available: 3_198 + 3_196, pending: 3_196 });
    await booksAreRight();
  });

  it('starts the next day before it settles, so that a repetition starts it too', async () => {
    const charge = await paidInThree();
    const now = saoPauloMidnight(dayAfter(charge, 30));
    const owner = { storeId, devMode: true };
    const died = () => Promise.reject(new Error('Temporal is away'));
    await expect(settleCharges(app.database, owner, now, died)).rejects.toThrow('away');
    expect(await balance()).toMatchObject({ available: 0 });
    const started: Date[] = [];
    expect(await settleCharges(app.database, owner, now, async (day) => void started.push(day))).toBe(1);
    expect(started).toEqual([saoPauloMidnight(dayAfter(charge, 60))]);
  });
});

describe('a provider that names other days', () => {
  const started: Date[] = [];
  const follow = (charge: Charge, days: readonly CivilDate[]) =>
    followInstallmentDays(
      { startSettlement: async (_: unknown, day: Date) => void started.push(day) } as never,
      emOf(),
      charge,
      namedBy(charge, days),
      new Date(),
    );

  it('moves installments that have not settled, and no others', async () => {
    const charge = await paidInThree();
    const now = saoPauloMidnight(dayAfter(charge, 30));
    await settleCharges(app.database, { storeId, devMode: true }, now, async () => {});
    const days = [dayAfter(charge, 3), dayAfter(charge, 40), dayAfter(charge, 41)];
    for (let time = 0; time < 2; time += 1) await follow(charge, days);
    const moved = await receivablesNow(charge.id);
    expect(moved.map(({ settlesAt }) => saoPauloDateOf(settlesAt))).toEqual([
      dayAfter(charge, 30),
      ...days.slice(1),
    ]);
    expect((await chargeNow(charge.id)).settlesAt).toEqual(saoPauloMidnight(dayAfter(charge, 40)));
    expect(started.at(-1)).toEqual(saoPauloMidnight(dayAfter(charge, 40)));
    await booksAreRight();
  });

  it('divides a payment that was accepted before its days were known', async () => {
    const charge = await paidInThree();
    await emOf().nativeDelete(ReceivableEntity, { chargeId: charge.id });
    await booksAreRight();
    await follow(
      charge,
      [30, 60, 90].map((days) => dayAfter(charge, days)),
    );
    expect((await receivablesNow(charge.id)).map(({ number }) => number)).toEqual([1, 2, 3]);
    await booksAreRight();
  });
});
