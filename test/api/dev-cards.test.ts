import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildProduct } from '../support/rows/catalog.ts';

let app: MoneyApp;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
  ({ api } = await app.anotherStore());
});
afterAll(() => app.close());

/** A subscription that was paid with a test card. @returns its id. */
async function subscribe(methods: readonly string[] = ['CARD']): Promise<string> {
  const { id: productId } = await buildProduct(api, { price: 4_900, cycle: 'MONTHLY' });
  const items = [{ id: productId, quantity: 1 }];
  const { id } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', { items, methods }));
  return dataOf<{ subscriptionId: string }>(await api.post('/v2/checkouts/simulate-payment', { id }))
    .subscriptionId;
}

const replace = (body: object, client = api) => client.post('/v2/dev/cards/replace', body);
const eventsOf = async (id: string) =>
  dataOf<{ data: { subscription: { id: string }; card: object } }[]>(
    await api.get('/v2/events/list?name=subscription.card_updated'),
  ).filter(({ data }) => data.subscription.id === id);

describe('a replaced card of a subscription', () => {
  it('shows the new card, sends one event, and charges the next cycle to it', async () => {
    const id = await subscribe();
    const card = { brand: 'visa', lastFour: '0341', expiryMonth: 12, expiryYear: 2049 };
    const body = { id, lastFour: '0341', expiry: '12/49' };
    expect(dataOf(await replace(body))).toEqual({ id, devMode: true, card });
    expect(dataOf(await replace(body))).toMatchObject({ card });
    expect(dataOf(await api.get(`/v2/subscriptions/get?id=${id}`))).toMatchObject({ card });
    expect(await eventsOf(id)).toMatchObject([{ data: { card } }]);
    await advance(api, { by: 'P1M2D' });
    expect(dataOf(await api.get(`/v2/payments/list?subscriptionId=${id}`))).toMatchObject([{ card }, {}]);
  });

  it('prints December in four years on the new card by default', async () => {
    const id = await subscribe();
    const { card } = dataOf<{ card: object }>(await replace({ id }));
    expect(card).toMatchObject({ lastFour: '1881', expiryMonth: 12 });
  });

  it('refuses wrong digits and a past expiry by their names, and changes nothing', async () => {
    const id = await subscribe();
    expect(await replace({ id, lastFour: '12' })).toMatchObject({ status: 400 });
    const past = await replace({ id, expiry: '11/20' });
    expect(past).toMatchObject({ status: 400, json: { issues: [{ path: 'expiry' }] } });
    expect(await replace({ id, expiry: '13/49' })).toMatchObject({ status: 400 });
    expect(await eventsOf(id)).toEqual([]);
  });

  it('returns 404 for PIX, for an ended subscription and for another store', async () => {
    const [byPix, ended] = [await subscribe(['PIX']), await subscribe()];
    dataOf(await api.post('/v2/subscriptions/cancel', { id: ended }));
    expect(await replace({ id: byPix })).toMatchObject({ status: 404 });
    expect(await replace({ id: ended })).toMatchObject({ status: 404 });
    const other = await app.anotherStore();
    expect(await replace({ id: await subscribe() }, other.api)).toMatchObject({ status: 404 });
  });
});
