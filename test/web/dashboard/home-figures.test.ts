import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import { TRANSACTION_KINDS, TRANSACTION_STATUSES } from '../../../src/api/bank-statement/filters.ts';
import { presentTransaction } from '../../../src/api/bank-statement/presenter.ts';
import { readTransactions } from '../../../src/api/bank-statement/transactions.ts';
import { mrrOf } from '../../../src/api/public-mrr/queries.ts';
import { conversionIn, conversionsIn, windowOf } from '../../../src/charges/conversion.ts';
import { loadConfig } from '../../../src/config.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { fillYear } from '../../../src/demo/fill-year.ts';
import { addDays, civilDate, saoPauloDateOf, saoPauloMidnight } from '../../../src/domain/civil-date.ts';
import type { ApiKeyId, StoreId } from '../../../src/domain/ids.ts';
import { balanceOf } from '../../../src/ledger/balance.ts';
import { dailyPayments, paidUntil, totalOf } from '../../../src/ledger/daily-payments.ts';
import type { StatementEntry } from '../../../src/ledger/entries.ts';
import { settlingUntil } from '../../../src/ledger/settling.ts';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { mrrHistory } from '../../../src/subscriptions/mrr-history.ts';
import type { Say } from '../../../src/web/dashboard/frame/locale.ts';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';
import { figures } from '../../../src/web/dashboard/home/figures.ts';
import { periodOf } from '../../../src/web/dashboard/home/period.ts';
import { comparedWords } from '../../../src/web/dashboard/home/period-picker.ts';
import { translate } from '../../../src/web/i18n/translate.ts';
import { createTestStore } from '../../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/rows/database.ts';
import { insertSubscription } from '../../support/rows/subscribed-rows.ts';

const NOW = new Date('2026-11-22T15:00:00.000Z');
const TODAY = saoPauloDateOf(NOW);

let test: TestDatabase;
let storeId: StoreId;
beforeAll(async () => {
  test = await createTestDatabase();
  storeId = (await createTestStore(test.database)).id;
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  // Of five thousand people two are drawn with one tax id in one year of thirty; here always.
  jest.spyOn(cpf, 'generate').mockReturnValueOnce(REPEATED_TAX_ID).mockReturnValueOnce(REPEATED_TAX_ID);
  await fillYear(em(), { storeId, platformFees, now: NOW });
  // The rows came at once, so the planner has no statistics of them yet, and chooses a plan that takes minutes.
  await em().execute('analyze', [], 'run');
  jest.restoreAllMocks();
});
afterAll(() => test.drop());

const NO_PARTIES = {
  method: 'PIX',
  checkoutId: null,
  chargeId: null,
  referenceId: null,
  customer: null,
} as const;
const em = () => test.database.em.fork();
const owner = () => ({ storeId, devMode: true });
const caller = () => ({
  ...owner(),
  permissions: [],
  actorId: 'key_test' as ApiKeyId,
  announcesSales: false,
  clock: null,
  store: { name: '', city: '', taxId: null },
});

const REPEATED_TAX_ID = '52998224725';

describe('a year of the demo shop', () => {
  it('gives a taken tax id to only one customer', async () => {
    expect(await em().count(CustomerEntity, { storeId, taxId: REPEATED_TAX_ID })).toBe(1);
  });

  it('matches the ledger to the cent', async () => {
    const { discrepancies, movements } = await verifyLedger(em(), storeId);
    expect(discrepancies).toEqual([]);
    expect(movements).toBeGreaterThan(5_000);
  });

  it('sums payments by day and method', async () => {
    const days = await dailyPayments(em(), owner(), addDays(TODAY, -400), TODAY);
    const [paid] = await em().execute<{ cents: string; count: string }[]>(
      'select sum(paid_amount_cents) as cents, count(*) as count from charges where paid_amount_cents > 0',
    );
    expect(totalOf(days)).toEqual({ cents: Number(paid?.cents), count: Number(paid?.count) });
    const [one] = await em().execute<{ day: string; cents: string }[]>(
      `select to_char(paid_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day, sum(paid_amount_cents) as cents
       from charges where method = 'PIX' and paid_at is not null group by 1 order by 1 limit 1 offset 100`,
    );
    expect(days.find(({ day }) => day === one?.day)?.cents.PIX).toBe(Number(one?.cents));
  });

  it("ends at the API's recurring revenue, and each month adds up from the last one", async () => {
    const months = await mrrHistory(em(), owner(), TODAY, 12);
    expect(months.map(({ month }) => month)).toEqual(
      [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(
        (month) => `${month === 12 ? 2025 : 2026}-${String(month).padStart(2, '0')}-01`,
      ),
    );
    const { mrr } = await mrrOf(em(), caller(), NOW);
    expect(months.at(-1)?.mrrCents).toBe(mrr);
    for (const [index, { mrrCents, changeCents }] of months.entries()) {
      const before = months[index - 1]?.mrrCents;
      if (before === undefined) continue;
      const { NEW, EXPANSION, CONTRACTION, CHURN } = changeCents;
      // Each part is rounded separately.
      expect(Math.abs(before + NEW + EXPANSION - CONTRACTION - CHURN - mrrCents)).toBeLessThanOrEqual(5);
    }
  });

  it('shows what settles within a week, below the total that is pending', async () => {
    const settling = await settlingUntil(em(), owner(), addDays(TODAY, 7));
    const { pendingCents } = await balanceOf(em(), owner());
    const soonCents = settling.reduce((sum, { netCents }) => sum + netCents, 0);
    expect(soonCents).toBeGreaterThan(0);
    expect(soonCents).toBeLessThan(pendingCents);
  });

  it('counts at most as many paid as begun payments in conversions', async () => {
    const since = new Date(NOW.getTime() - 30 * 86_400_000);
    const { methods, campaigns, checkouts } = await conversionsIn(em(), owner(), since, NOW);
    const sum = (of: 'begun' | 'paid') => methods.reduce((total, each) => total + each[of], 0);
    expect(await conversionIn(em(), owner(), since, NOW)).toEqual({ begun: sum('begun'), paid: sum('paid') });
    for (const { begun, paid } of [...methods, ...campaigns]) expect(begun).toBeGreaterThanOrEqual(paid);
    expect(checkouts.created).toBeGreaterThanOrEqual(checkouts.begun);
    const instagram = campaigns.find(({ campaign }) => campaign === 'inverno');
    expect(instagram?.paid).toBeGreaterThan(0);
  });
});

describe('a change of recurring revenue', () => {
  const month = async (store: StoreId) =>
    (await mrrHistory(em(), { storeId: store, devMode: true }, TODAY, 1))[0];

  it('divides changes into new, expansion, contraction and churn, without trials', async () => {
    const { id: other } = await createTestStore(test.database);
    const began = { createdAt: NOW, updatedAt: NOW, cycleNumber: 1 };
    const shop = { database: test.database, storeId: other };
    const { id } = await insertSubscription(shop, { ...began, amountCents: 1_000 });
    const trial = await insertSubscription(shop, { ...began, amountCents: 300, cycleNumber: 0 });
    const nothing = { NEW: 1_000, EXPANSION: 0, CONTRACTION: 0, CHURN: 0 };
    expect(await month(other)).toMatchObject({ mrrCents: 1_000, changeCents: nothing });
    const change = (of: string, changes: Partial<Subscription>) =>
      em().nativeUpdate(SubscriptionEntity, { id: of as Subscription['id'] }, { ...changes, updatedAt: NOW });
    await change(id, { amountCents: 1_500 });
    await change(id, { failedAttempts: 1 });
    await change(id, { amountCents: 2_400, cycle: 'QUARTERLY' });
    await change(trial.id, { cycleNumber: 1 });
    await change(trial.id, { status: 'CANCELLED' });
    const changeCents = { NEW: 1_300, EXPANSION: 500, CONTRACTION: 700, CHURN: 300 };
    expect(await month(other)).toMatchObject({ mrrCents: 800, changeCents });
  });
});

it('shows conversion over fewer days if more was paid', () => {
  const days = (count: number, each: number) => Array.from({ length: count }, () => each);
  expect([1, 333, 334, 1_428, 1_429].map((each) => windowOf(days(30, each)))).toEqual([30, 30, 7, 7, 1]);
  expect([10, 100, 400].map((each) => windowOf(days(330, each)))).toEqual([330, 30, 7]);
  expect(windowOf(days(1, 20_000))).toBe(1);
});

describe('a period', () => {
  /** Half past nine in São Paulo. */
  const at = (day: string) => new Date(`${day}T12:30:00.000Z`);
  const spans = (text: string | null, today = '2026-11-22') => {
    const { from, to, before } = periodOf(text, at(today));
    expect(saoPauloDateOf(new Date(before.until.getTime() - 1))).toBe(before.to);
    return [from, to, before.from, before.to];
  };

  it('compares days with as many days before', () => {
    expect(spans('today')).toEqual(['2026-11-22', '2026-11-22', '2026-11-21', '2026-11-21']);
    expect(spans('7d')).toEqual(['2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15']);
    expect(spans(null)).toEqual(['2026-10-24', '2026-11-22', '2026-09-24', '2026-10-23']);
    expect(spans('nonsense')).toEqual(spans('30d'));
  });

  it('compares a month so far with as many days of the month before', () => {
    expect(spans('month')).toEqual(['2026-11-01', '2026-11-22', '2026-10-01', '2026-10-22']);
    expect(spans('month', '2026-03-31')).toEqual(['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28']);
  });

  it('compares whole months, and a year with the year before', () => {
    expect(spans('last-month')).toEqual(['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30']);
    expect(spans('last-month', '2026-01-15')).toEqual([
      '2025-12-01',
      '2025-12-31',
      '2025-11-01',
      '2025-11-30',
    ]);
    expect(spans('12m')).toEqual(['2025-12-01', '2026-11-22', '2024-12-01', '2025-11-22']);
    expect(spans('12m', '2028-02-29')[3]).toBe('2027-02-28');
  });

  it.each(['today', '7d', '30d', 'month', '12m'])(
    'counts the period before %s to the same time of day',
    (id) => {
      const { before } = periodOf(id, at('2026-11-22'));
      expect(before).toMatchObject({ isCut: true, until: at(before.to) });
    },
  );

  it.each([
    ['last-month', '2026-11-22', '2026-10-01'],
    ['month', '2026-03-31', '2026-03-01'],
  ])('counts all of the period before %s on %s, as all of it has passed', (id, today, until) => {
    const { before } = periodOf(id, at(today));
    expect(before).toMatchObject({ isCut: false, until: saoPauloMidnight(civilDate(until)) });
  });

  it('cuts the days of a shorter month that a longer one has reached', () => {
    expect(periodOf('month', at('2026-03-28')).before.isCut).toBe(true);
    expect(periodOf('month', at('2026-03-29')).before.isCut).toBe(false);
  });

  it.each([
    ['en', 'today', 'Compared with 21 Nov up to 09:30, because today is not over.'],
    ['pt-BR', '7d', 'Comparado com 09/11 a 15/11, o último dia até as 09:30, porque hoje ainda não acabou.'],
    ['es', 'last-month', 'Comparado con 01/09 a 30/09.'],
  ] as const)('says in %s what %s is compared with', (locale, id, words) => {
    const say: Say = (key, values) => translate(locale, key, values);
    expect(comparedWords({ say, locale }, periodOf(id, at('2026-11-22')))).toBe(words);
  });
});

describe('the payments from a day to an instant', () => {
  beforeAll(() =>
    em().execute(
      `update charges set status = 'UNDER_DISPUTE' where id in (
         select id from charges where status = 'PAID' and paid_amount_cents > 0 order by paid_at desc offset 20 limit 5)`,
      [],
      'run',
    ),
  );

  it.each(['PAID', 'REFUNDED', 'UNDER_DISPUTE'])(
    'counts %s charges that were paid before it',
    async (status) => {
      const [charge] = await em().execute<{ day: string; paid_at: string }[]>(
        `select to_char(paid_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day, paid_at from charges
       where status = ? and paid_amount_cents > 0 order by paid_at offset 3 limit 1`,
        [status],
      );
      const from = addDays(civilDate(charge?.day ?? ''), -2);
      const count = async (until: Date) => {
        const [counted] = await em().execute<{ cents: string; count: string }[]>(
          `select coalesce(sum(paid_amount_cents), 0) as cents, count(*) as count from charges
         where paid_amount_cents > 0 and paid_at >= ? and paid_at < ?`,
          [saoPauloMidnight(from), until],
        );
        const wanted = { cents: Number(counted?.cents), count: Number(counted?.count) };
        expect(await paidUntil(em(), owner(), from, until)).toEqual(wanted);
        return wanted.count;
      };
      const paidAt = new Date(charge?.paid_at ?? '');
      expect(await count(new Date(paidAt.getTime() + 1))).toBeGreaterThan(await count(paidAt));
    },
  );

  it('reads only whole days if the instant is a midnight', async () => {
    const week = await dailyPayments(em(), owner(), addDays(TODAY, -7), addDays(TODAY, -1));
    expect(await paidUntil(em(), owner(), addDays(TODAY, -7), saoPauloMidnight(TODAY))).toEqual(
      totalOf(week),
    );
  });
});

it('separates thousands, and calls a conversion new that had nothing to compare with', () => {
  const say: Say = (key, values) => translate('pt-BR', key, values);
  const visit = { say, locale: 'pt-BR', link: () => '#' } as unknown as Visit;
  const rendered = figures(visit, {
    period: periodOf('12m', NOW),
    ...{ paid: { cents: 7_402_000, count: 7_402 }, paidBefore: { cents: 0, count: 0 } },
    ...{ conversion: { begun: 8_000, paid: 7_402 }, conversionBefore: { begun: 0, paid: 0 } },
    ...{ conversionDays: 365, balance: { availableCents: 0, pendingCents: 0, blockedCents: 0 } },
    mrr: { mrr: 0, totalActiveSubscriptions: 0, totalTrialSubscriptions: 0 },
  } as Parameters<typeof figures>[1]);
  expect(rendered.markup).toContain('<dd>7.402 ');
  expect(rendered.markup).toContain('<dd>93% <span class="soft"><span class="change">novo</span>');
});

it('includes days without a payment', async () => {
  const { id } = await createTestStore(test.database);
  const days = await dailyPayments(
    em(),
    { storeId: id, devMode: true },
    civilDate('2026-02-27'),
    civilDate('2026-03-02'),
  );
  expect(days.map(({ day, count }) => [day, count])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 0],
    ['2026-03-01', 0],
    ['2026-03-02', 0],
  ]);
});

/** The entries of a year's bank statement that a filter leaves. */
async function statementOf(filter: Parameters<typeof readTransactions>[2]): Promise<StatementEntry[]> {
  const found: StatementEntry[] = [];
  for (;;) {
    const wanted = { from: found.at(-1) ?? null, direction: 'older', take: 2_000 } as const;
    const page = await readTransactions(em(), owner(), filter, wanted);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

it('adds up a bank statement of a year to the available balance, to the cent', async () => {
  const effects = { credit: 1, debit: -1, none: 0 };
  const shown = (await statementOf({})).map((entry) => presentTransaction(entry, NO_PARTIES, true));
  const cents = shown
    .flatMap(({ movements }) => movements)
    .map(({ amount, balanceEffect }) => effects[balanceEffect] * amount);
  expect(new Set(shown.map(({ id }) => id)).size).toBeGreaterThan(1_000);
  expect(cents.reduce((sum, each) => sum + each, 0)).toBe((await balanceOf(em(), owner())).availableCents);
});

it.each([
  ['kind', TRANSACTION_KINDS],
  ['method', ['PIX', 'CARD', 'BOLETO'] as const],
  ['status', TRANSACTION_STATUSES],
])('divides a bank statement of a year by %s, and keeps its order', async (name, values) => {
  const parts = await Promise.all(values.map((value) => statementOf({ [name]: value })));
  const inOrder = parts
    .flat()
    .toSorted((one, other) => other.sequence - one.sequence || (one.account < other.account ? 1 : -1));
  expect(inOrder).toEqual(await statementOf({}));
  for (const part of parts.map((entries) => new Set(entries)))
    expect([...part]).toEqual(inOrder.filter((entry) => part.has(entry)));
});
