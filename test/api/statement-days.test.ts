import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ProviderAccountId } from '../../src/domain/ids.ts';
import type { StatementEntry } from '../../src/domain/statement-day.ts';
import { readStatementDay } from '../../src/notifications/statement-day.ts';
import { statementDays } from '../../src/notifications/statement-rows.ts';
import type { StatementPort } from '../../src/providers/ports/statement.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildPaidPix } from '../support/rows/payments.ts';

const id = 'sandbox' as ProviderAccountId;

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

const entry = (given: Partial<StatementEntry>): StatementEntry => ({
  ...{ id: 'txn', kind: 'PAYMENT', amountCents: 5_000, feeCents: 200, providerPaymentId: null, isOurs: true },
  ...{ installmentNumber: null, balanceAfterCents: null },
  ...given,
});
/** Every entry comes twice, and in pages of one. */
const booking = (entries: readonly StatementEntry[]): StatementPort => ({
  entries: async (_, cursor) => {
    const at = Number(cursor ?? 0);
    const items = [...entries, ...entries].slice(at, at + 1);
    return { items, nextCursor: at + 1 < 2 * entries.length ? String(at + 1) : null };
  },
  payouts: async () => ({ items: [], nextCursor: null }),
});

it('names every difference to the rows here, and closes its note without one', async () => {
  const chargeId = await buildPaidPix(app.api, { amount: 5_000 });
  const em = app.database.em.fork();
  const paid = await em.findOneOrFail(PaymentEntity, { chargeId: chargeId as never });
  const { providerPaymentId, paidAt } = paid;
  const day = saoPauloDateOf(paidAt);
  const later = new Date(Date.now() + 3 * 86_400_000);
  const read = (entries: readonly StatementEntry[]) =>
    readStatementDay(em, { id, storeId: app.storeId }, booking(entries), day, later);
  const notes = () =>
    em.execute("select 1 from attention where kind = 'BANK_DIFFERENCE' and resolved_at is null");

  const { differences, totals, entries, foreignPayments } = await read([
    entry({ id: 'txn_1', providerPaymentId, amountCents: 4_999 }),
    entry({ id: 'txn_2', providerPaymentId: 'pi_lost', amountCents: 700 }),
    entry({ id: 'txn_3', providerPaymentId: 'pi_foreign', isOurs: false }),
    entry({ id: 'txn_4', kind: 'REFUND', providerPaymentId, amountCents: -300, feeCents: 0 }),
    entry({ id: 'txn_5', kind: 'DISPUTE', providerPaymentId, amountCents: -5_000, feeCents: 5_500 }),
  ]);
  expect({ entries, foreignPayments, gross: totals.grossCents }).toEqual({
    ...{ entries: 5, foreignPayments: 1, gross: 4_999 + 700 + 5_000 },
  });
  expect(
    differences.map(({ problem, providerCents, hereCents }) => [problem, providerCents, hereCents]),
  ).toEqual([
    ['OTHER_AMOUNT', 4_999, 5_000],
    ['MISSING_HERE', 700, null],
    ['OTHER_FEE', 5_500, null],
    ['OTHER_REFUNDS', 300, 0],
  ]);
  expect(await notes()).toHaveLength(1);
  const [stored] = await statementDays(em, { provider: id, from: addDays(day, -1), to: day });
  expect(stored).toMatchObject({ day, totals, differences, isComplete: true });

  expect((await read([entry({ providerPaymentId })])).differences).toEqual([]);
  expect(await notes()).toEqual([]);
});

it('stores nothing if the provider does not answer in the middle', async () => {
  const away: StatementPort = {
    ...booking([entry({}), entry({ id: 'other' })]),
    payouts: () => Promise.reject(new Error('away')),
  };
  const em = app.database.em.fork();
  const day = addDays(saoPauloDateOf(new Date()), -5);
  await expect(readStatementDay(em, { id, storeId: app.storeId }, away, day, new Date())).rejects.toThrow(
    'away',
  );
  expect(await statementDays(em, { provider: id, from: day, to: day })).toEqual([]);
});
