import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { monthStart, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { OPT_IN_EVENTS } from '../../src/domain/event-names.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { forgetReaders } from '../../src/events/event-readers.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { listen } from '../support/api/event-stream.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

/** As it is printed on a card. */
function nextMonth(): string {
  const [year = '', month] = monthStart(saoPauloDateOf(new Date()), 1).split('-');
  return `${month}/${year.slice(2)}`;
}

/** Approved once, and declined by every later charge. */
const DECLINED_LATER = { number: '4000000000000341' };

/** What nobody pays: each of the events that are recorded only where somebody wants them happens. */
async function passUnpaid(api: ApiClient): Promise<void> {
  const customer = dataOf<{ id: string }>(
    await api.post('/v2/customers/create', { name: 'Ana Souza', email: 'ana@example.com' }),
  );
  dataOf(await api.post('/v2/customers/update', { id: customer.id, name: 'Ana Lima' }));
  await buildPixCharge(api, { expiresIn: 3_600 });
  const cancelled = await buildPixCharge(api);
  dataOf(await api.post('/v2/transparents/cancel', { id: cancelled.id }));
  const { id } = await buildCheckout(api, { methods: ['CARD'] });
  const card = { number: '4000000000000002' };
  const declined = await api.post('/v2/checkouts/simulate-payment', { id, card });
  expect(declined.json).toMatchObject({ code: 'CARD_DECLINED' });
  const plan = await buildProduct(api, { cycle: 'ANNUALLY', price: 5_000, trialDays: 14 });
  const items = [{ id: plan.id, quantity: 1 }];
  const trial = dataOf<{ id: string }>(
    await api.post('/v2/subscriptions/create', { items, methods: ['CARD'] }),
  );
  const expiring = { number: '4242424242424242', expiry: nextMonth() };
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id: trial.id, card: expiring }));
  const monthly = await buildProduct(api, { cycle: 'MONTHLY', price: 5_000 });
  const given = dataOf<{ id: string }>(
    await api.post('/v2/subscriptions/create', {
      items: [{ id: monthly.id, quantity: 1 }],
      methods: ['CARD'],
    }),
  );
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id: given.id, card: DECLINED_LATER }));
  // Past the charge of the trial, the days on which the checkout and most cards expire, and the retries of the second cycle.
  await advance(api, { by: 'P2M' });
}

async function recorded(storeId: StoreId): Promise<string[]> {
  const events = await app.database.em.fork().find(EventEntity, { storeId });
  return events.map(({ name }) => name);
}

const unpaidAmong = (names: readonly string[]) =>
  names
    .filter((name, index) => names.indexOf(name) === index)
    .filter((name) => (OPT_IN_EVENTS as readonly string[]).includes(name))
    .sort();

const ALL = [...OPT_IN_EVENTS].sort();

describe('a store without an endpoint', () => {
  it('records every event while a stream is open and resumes after a disconnect', async () => {
    const { api } = await app.anotherStore();
    using listener = await listen(api);
    await passUnpaid(api);
    const received = () => unpaidAmong(listener.events.map(({ name }) => name));
    // Invoices are published within a second.
    const listed = await eventually(async () => {
      const all = dataOf<{ id: string; name: string }[]>(await api.get('/v2/events/list?limit=100'));
      expect(unpaidAmong(all.map(({ name }) => name))).toEqual(ALL);
      return all;
    });
    await listener.waitForEvents(listed.length);
    expect(received()).toEqual(ALL);
    // After a reconnect the stream sends the events of the meantime.
    listener[Symbol.dispose]();
    const { id } = await buildPixCharge(api);
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    using back = await listen(api, { after: listener.events.at(-1)?.id ?? '' });
    await back.waitForEvents(1);
    expect(back.events[0]).toMatchObject({ name: 'transparent.cancelled', subjectIds: [id] });
  });

  it('records every event after a first read of the list', async () => {
    const { api, storeId } = await app.anotherStore();
    expect(dataOf(await api.get('/v2/events/list'))).toEqual([]);
    await passUnpaid(api);
    await eventually(async () => expect(unpaidAmong(await recorded(storeId))).toEqual(ALL));
  });

  it('records only the events that are read by name', async () => {
    const { api, storeId } = await app.anotherStore();
    using listener = await listen(api, { query: '?names=transparent.expired,transparent.completed' });
    dataOf(await api.get('/v2/events/list?name=subscription.upcoming'));
    await passUnpaid(api);
    await listener.waitForEvents(1);
    expect(unpaidAmong(await recorded(storeId))).toEqual(['subscription.upcoming', 'transparent.expired']);
  });

  it('records no opt-in event without a reader or after weeks without one', async () => {
    const { api, storeId } = await app.anotherStore();
    await passUnpaid(api);
    expect(unpaidAmong(await recorded(storeId))).toEqual([]);

    const other = await app.anotherStore();
    dataOf(await other.api.get('/v2/events/list'));
    await forgetReaders(app.database, new Date(Date.now() + 1));
    await passUnpaid(other.api);
    expect(unpaidAmong(await recorded(other.storeId))).toEqual([]);
  });

  it('notes a reader at most once an hour', async () => {
    const { api, storeId } = await app.anotherStore();
    const rows = () =>
      app.database.em
        .fork()
        .execute<{ xmin: string }[]>('select xmin::text from event_readers where store_id = :storeId', {
          storeId,
        });
    await Promise.all(Array.from({ length: 5 }, () => api.get('/v2/events/list')));
    const noted = await rows();
    expect(noted).toHaveLength(ALL.length);
    for (let read = 0; read < 3; read += 1) dataOf(await api.get('/v2/events/list'));
    expect(await rows()).toEqual(noted);
  });
});
