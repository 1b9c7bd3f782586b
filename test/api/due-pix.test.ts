import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { isBusinessDay } from '../../src/domain/business-days.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { LOCAL_HOLIDAYS_DAYS, lastDayToPay } from '../../src/domain/last-day-to-pay.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';

type DuePix = Extract<ShownCharge, { method: 'PIX' }>;
interface Refused {
  readonly issues: readonly { readonly path: string; readonly rule?: string; readonly message: string }[];
}

const CREATE = '/v2/transparents/create';
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25' };
const LATE = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } };

let app: MoneyApp;
let refusing: TestApp;
const provider = new MisbehavingProvider();
beforeAll(async () => {
  app = await createMoneyApp();
  refusing = await createTestApp({
    providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
  });
});
afterAll(() => Promise.all([app.close(), refusing.close()]));

const create = (api: ApiClient, data: object) =>
  api.post(CREATE, { method: 'PIX', data: { amount: 10_000, customer: ANA, ...data } });
const issue = async (api: ApiClient, data: object) => dataOf<DuePix>(await create(api, data));
const get = async (api: ApiClient, id: string) =>
  dataOf<DuePix>(await api.get(`/v2/transparents/get?id=${id}`));
const pay = (api: ApiClient, id: string, body: object = {}) =>
  api.post(`/v2/transparents/simulate-payment?id=${id}`, body);
const todayOf = async (api: ApiClient) => saoPauloDateOf(new Date((await clockOf(api)).now));
/** The first business day from this many days ahead on. */
const businessDayIn = async (api: ApiClient, days: number) => {
  let day = addDays(await todayOf(api), days);
  while (!isBusinessDay(day)) day = addDays(day, 1);
  return day;
};
const noonOf = (day: CivilDate) => new Date(saoPauloMidnight(day).getTime() + 12 * 3_600_000).toISOString();

describe('a PIX charge with a due date', () => {
  it('shows its terms, a code without an amount, and the end of its last day', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 10);
    const charge = await issue(api, { dueDate, ...LATE });
    const lastDay = lastDayToPay({ method: 'PIX', dueDate, ...LATE } as never);
    expect(charge).toMatchObject({
      method: 'PIX',
      amount: 10_000,
      status: 'PENDING',
      dueDate,
      ...LATE,
      paidComponents: null,
      expiresAt: saoPauloMidnight(addDays(lastDay, 1)).toISOString(),
    });
    expect(charge.brCode).toContain('br.gov.bcb.pix');
    expect(charge.brCode).not.toContain('100.00');
    expect(await get(api, charge.id)).toEqual(charge);
    expect(dataOf<DuePix[]>(await api.get('/v2/transparents/list'))).toEqual([charge]);
  });

  it('accepts its amount on the due date', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 3);
    const { id } = await issue(api, { dueDate, ...LATE });
    await advance(api, { to: noonOf(dueDate) });
    expect(dataOf(await pay(api, id))).toMatchObject({
      status: 'PAID',
      paidAmount: 10_000,
      paidComponents: { original: 10_000, interest: 0, fine: 0, discount: 0 },
    });
  });

  it('shows the parts of a late payment in answer, event and balance', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 3);
    const { id, brCode } = await issue(api, { dueDate, ...LATE });
    await advance(api, { to: noonOf(addDays(dueDate, 15)) });
    expect((await get(api, id)).brCode).toBe(brCode);
    const paid = dataOf<DuePix>(await pay(api, id));
    const paidComponents = { original: 10_000, interest: 50, fine: 200, discount: 0 };
    expect(paid).toMatchObject({ status: 'PAID', amount: 10_000, paidAmount: 10_250, paidComponents });
    const [event] = dataOf<{ data: { transparent: object } }[]>(
      await api.get('/v2/events/list?name=transparent.completed'),
    );
    expect(event?.data.transparent).toMatchObject({
      id,
      paidAmount: 10_250,
      paidComponents,
      methods: ['PIX'],
    });
    expect((await balanceOf(api)).available).toBe(10_250 - paid.platformFee);

    const refunded = await api.post('/v2/transparents/refund', { id });
    expect(dataOf(refunded)).toMatchObject({ status: 'COMPLETED', amount: 10_250 });
  });

  it('accepts less on a late day if its bank says so', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 3);
    const { id } = await issue(api, { dueDate, ...LATE });
    await advance(api, { to: noonOf(addDays(dueDate, 5)) });
    expect(dataOf(await pay(api, id, { amount: 10_000 }))).toMatchObject({
      status: 'PAID',
      paidAmount: 10_000,
      paidComponents: { original: 10_000, interest: 0, fine: 0, discount: 0 },
    });
  });

  it('returns less than its amount', async () => {
    const { api } = await app.anotherStore();
    const { id } = await issue(api, { dueDate: await businessDayIn(api, 3) });
    expect(dataOf(await pay(api, id, { amount: 9_999 }))).toMatchObject({ status: 'PENDING' });
  });

  it('refuses payers once it is cancelled', async () => {
    const { api } = await app.anotherStore();
    const { id } = await issue(api, { dueDate: await businessDayIn(api, 3) });
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    expect(await get(api, id)).toMatchObject({ status: 'CANCELLED' });
    expect(await pay(api, id)).toMatchObject({ status: 422 });
  });

  it('refuses payers after its last day, and expires once no bank may accept one', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 3);
    const { id } = await issue(api, { dueDate });
    await advance(api, { to: noonOf(addDays(dueDate, 1)) });
    expect(await pay(api, id)).toMatchObject({ status: 422 });
    expect(await get(api, id)).toMatchObject({ status: 'PENDING' });
    await advance(api, { to: noonOf(addDays(dueDate, LOCAL_HOLIDAYS_DAYS + 1)) });
    expect(await get(api, id)).toMatchObject({ status: 'EXPIRED' });
  });

  it('refuses an externalId with another due date', async () => {
    const { api } = await app.anotherStore();
    const dueDate = await businessDayIn(api, 3);
    const first = await issue(api, { dueDate, externalId: 'invoice-12' });
    expect((await issue(api, { dueDate, externalId: 'invoice-12' })).id).toBe(first.id);
    const other = await create(api, { dueDate: addDays(dueDate, 1), externalId: 'invoice-12' });
    expect(other.status).toBe(409);
  });
});

describe('a request for a PIX charge with a due date', () => {
  const issuesOf = async (data: object) => {
    const { api } = refusing;
    const refused = await create(api, data);
    expect([400, 422]).toContain(refused.status);
    return (refused.json as unknown as Refused).issues.map(({ path }) => path).sort();
  };

  it('names every wrong field at once', async () => {
    const wrong = {
      amount: 0,
      dueDate: '2020-01-10',
      expiresIn: 60,
      interest: { value: -1 },
      fine: { value: 200 },
      customer: { name: null, taxId: '123' },
    };
    expect(await issuesOf(wrong)).toEqual([
      'data.amount',
      'data.customer.name',
      'data.customer.taxId',
      'data.dueDate',
      'data.expiresIn',
      'data.fine.type',
      'data.interest.value',
    ]);
  });

  it.each([
    ['no payer', { customer: null }, ['data.customer.name', 'data.customer.taxId']],
    ['no tax id', { customer: { name: 'Ana' } }, ['data.customer.taxId']],
    ['a day that does not exist', { dueDate: '2027-02-30' }, ['data.dueDate']],
    ['an unknown field of a fine', { fine: { value: 1, type: 'FIXED', days: 3 } }, ['data.fine']],
    ['a rate beyond the format', { interest: { value: 1e12 } }, ['data.interest.value']],
  ])('refuses %s', async (_, data, paths) => {
    expect(await issuesOf({ dueDate: addDays(saoPauloDateOf(new Date()), 5), ...data })).toEqual(paths);
  });

  it.each([-1, 366])('refuses a due date %i days from today', async (days) => {
    const { api } = await app.anotherStore();
    const refused = await create(api, { dueDate: addDays(await todayOf(api), days) });
    expect(refused.status).toBe(422);
    expect((refused.json as unknown as Refused).issues).toMatchObject([
      { path: 'data.dueDate', rule: 'DUE_DATE_OUT_OF_RANGE' },
    ]);
  });

  it('stores nothing if the provider has no due dates', async () => {
    const client = await refusing.clientWith({ devMode: false });
    const refused = await create(client, { dueDate: addDays(saoPauloDateOf(new Date()), 5) });
    expect(refused.status).toBe(422);
    expect((refused.json as unknown as Refused).issues).toMatchObject([
      { path: 'data.dueDate', rule: 'DUE_DATE_NOT_POSSIBLE' },
    ]);
    expect(await refusing.database.em.fork().count(ChargeEntity, {})).toBe(0);
  });

  it('ignores interest and fine without a due date', async () => {
    const { api } = await app.anotherStore();
    const charge = await issue(api, { interest: 'none', fine: 7 });
    expect(charge).not.toHaveProperty('dueDate');
  });
});
