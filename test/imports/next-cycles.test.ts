import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { type Cells, importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
  ({ storeId, api } = await app.anotherStore());
});
afterAll(() => app.close());

/** A subscription in another system, and what it would have charged there. */
interface Case {
  readonly row: Cells;
  /** Days in their order, as a calendar on paper has them. */
  readonly days: readonly string[];
  readonly cents: (charge: number) => number;
}

const year = new Date().getUTCFullYear() + 1;
const text = (number: number) => String(number).padStart(2, '0');
/** The last day of a month by the rule of leap years, and not by the code under test. */
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
function lengthOf(of: number, month: number): number {
  const isLeap = of % 4 === 0 && (of % 100 !== 0 || of % 400 === 0);
  return (LENGTHS[month] ?? 0) + (month === 1 && isLeap ? 1 : 0);
}

/** Every `step` months on this day, where the month has it, from February of next year on. */
function monthly(day: number, step: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const months = 1 + index * step;
    const on = { year: year + Math.floor(months / 12), month: months % 12 };
    return `${on.year}-${text(on.month + 1)}-${text(Math.min(day, lengthOf(on.year, on.month)))}`;
  });
}

function weekly(first: string, count: number): string[] {
  const start = Date.parse(`${first}T12:00:00Z`);
  return Array.from({ length: count }, (_, week) =>
    new Date(start + week * 7 * 86_400_000).toISOString().slice(0, 10),
  );
}

const full = () => 5_000;
const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries(
    [28, 29, 30, 31].map((day) => [
      `day${day}`,
      { row: { anchor_day: String(day) }, days: monthly(day, 1, 12), cents: full },
    ]),
  ),
  anchored: { row: { anchor: `${year - 2}-01-31` }, days: monthly(31, 1, 12), cents: full },
  weekly: { row: { product: 'weekly' }, days: weekly(`${year}-02-03`, 12), cents: full },
  quarterly: { row: { product: 'quarterly', anchor_day: '30' }, days: monthly(30, 3, 5), cents: full },
  yearly: { row: { product: 'yearly' }, days: monthly(28, 12, 2), cents: full },
  coupon: {
    row: { anchor_day: '31', coupon: 'HALF', coupon_cycles_left: '3' },
    days: monthly(31, 1, 12),
    cents: (charge) => (charge < 3 ? 2_500 : 5_000),
  },
  forever: { row: { anchor_day: '30', coupon: 'ALWAYS' }, days: monthly(30, 1, 12), cents: () => 4_000 },
  trial: { row: { trial: 'yes', anchor_day: '31' }, days: monthly(31, 1, 12), cents: full },
  trialWithCoupon: {
    row: { trial: 'yes', coupon: 'HALF', coupon_cycles_left: '2' },
    days: monthly(28, 1, 12),
    cents: (charge) => (charge < 2 ? 2_500 : 5_000),
  },
  oldPrice: { row: { unit_price: '19,90', quantity: '2' }, days: monthly(28, 1, 12), cents: () => 3_980 },
  cancelling: { row: { cancel_at_period_end: 'yes' }, days: [], cents: full },
  paused: { row: { paused: 'yes' }, days: [], cents: full },
  cardless: { row: { card: '' }, days: [], cents: full },
};

const firstOf = ({ row, days }: Case) =>
  row.product === 'weekly' ? (days[0] ?? '') : `${year}-02-${text(firstDay(row))}`;
function firstDay(row: Cells): number {
  const usual = 'anchor' in row ? '31' : '28';
  return Math.min(Number('anchor_day' in row ? row.anchor_day : usual), lengthOf(year, 1));
}

interface Charged {
  readonly externalId: string;
  readonly day: string;
  readonly amountCents: number;
}

/** Every payment of a cycle, oldest first. */
function charges(): Promise<Charged[]> {
  return app.database.em.fork().execute(
    `select subscription.external_id as "externalId", to_char(charge.paid_at at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day, charge.paid_amount_cents::int as "amountCents"
     from charges charge join installments cycle on cycle.id = charge.installment_id
     join subscriptions subscription on subscription.id = cycle.subscription_id
     where subscription.store_id = :storeId and charge.status = 'PAID' order by charge.paid_at`,
    { storeId },
  );
}

it('charges the next 12 cycles on the same days, for the same amounts', async () => {
  const plan = { name: 'Plano', price: '50,00' };
  using folder = importFolder({
    customers: [{ id: 'ana', name: 'Ana Souza', email: 'ana@example.com', tax_id: '529.982.247-25' }],
    products: [
      { ...plan, id: 'monthly', cycle: 'MONTHLY' },
      { ...plan, id: 'weekly', cycle: 'WEEKLY' },
      { ...plan, id: 'quarterly', cycle: 'QUARTERLY' },
      { ...plan, id: 'yearly', cycle: 'ANNUALLY' },
    ],
    coupons: [
      { id: 'HALF', code: 'HALF', percent: '50', duration: 'REPEATING', cycles: '6' },
      { id: 'ALWAYS', code: 'ALWAYS', kind: 'FIXED', amount: '10,00', duration: 'FOREVER' },
    ],
    subscriptions: Object.entries(CASES).map(([id, each]) => ({
      ...{ id, customer: 'ana', product: 'monthly', method: 'CARD', card: 'visa' },
      ...{ next_charge: firstOf(each), started: `${year - 1}-01-10` },
      ...each.row,
    })),
    cards: [{ card: 'visa', token: 'sandbox_approved_0123456789abcdef', brand: 'visa', last_four: '4242' }],
  });
  // Events of upcoming charges are only recorded while somebody reads them.
  await api.get('/v2/events/list');
  const url = app.database.config.get('clientUrl') ?? '';
  const words = `csv ${folder.path} --cards ${folder.pathOf('cards.csv')}`;
  const { answer, ended } = await runImportCommand({ url, storeId }, words);
  expect({ errors: ended.errors, refused: answer.refused, notes: answer.notes.map(({ id }) => id) }).toEqual({
    errors: '',
    refused: [],
    notes: ['cardless'],
  });
  const where = { storeId, workflowStartedAt: null };
  await eventually(async () => {
    expect(await app.database.em.fork().count(SubscriptionEntity, where)).toBe(0);
  });
  await advance(api, { to: `${year}-02-01` });
  expect(await charges()).toEqual([]);
  // A cancellation that was scheduled there takes effect here.
  await advance(api, { to: `${year + 1}-02-20` });
  const made = await charges();
  for (const [id, { days, cents }] of Object.entries(CASES)) {
    const own = made.filter(({ externalId }) => externalId === id).slice(0, days.length);
    const until = days.filter((day) => day < `${year + 1}-02-20`);
    expect({ id, days: own.map(({ day }) => day).slice(0, until.length) }).toEqual({
      id,
      days: until,
    });
    expect({ id, cents: own.slice(0, until.length).map(({ amountCents }) => amountCents) }).toEqual({
      id,
      cents: until.map((_, charge) => cents(charge)),
    });
    if (id !== 'weekly')
      expect({ id, count: made.filter(({ externalId }) => externalId === id).length }).toEqual({
        id,
        count: until.length,
      });
  }
  const states = dataOf<{ externalId: string; state: string }>(
    await api.get('/v2/subscriptions/get?externalId=cancelling'),
  );
  expect(states).toMatchObject({ status: 'CANCELLED', cancelPolicy: 'AT_PERIOD_END' });
  expect(dataOf(await api.get('/v2/subscriptions/get?externalId=paused'))).toMatchObject({ state: 'PAUSED' });
  // Nobody has entered a card: its charges fail, and nothing else happens to the payer.
  expect(dataOf(await api.get('/v2/subscriptions/get?externalId=cardless'))).toMatchObject({
    status: 'CANCELLED',
    cancelledDueTo: 'max_payment_retries_exceeded',
  });
  expect((await verifyLedger(app.database.em.fork(), storeId)).discrepancies).toEqual([]);
}, 900_000);
