import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { SavedCardEntity } from '../../src/database/entities/saved-card.ts';
import type { SavedCardId, StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { typeCard } from '../support/rows/card-tokens.ts';
import { eventually } from '../support/waiting/eventually.ts';

type CardCharge = Extract<ShownCharge, { method: 'CARD' }>;

const CREATE = '/v2/transparents/create';
const ANA = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
const BRUNO = { name: 'Bruno Lima', taxId: '111.444.777-35' };
const DECLINED = '4000000000009995';
const PENDING = '4000000000000077';
const CONFIRM = '4000002500003155';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
  ({ storeId, api } = await app.anotherStore());
});
afterAll(() => app.close());

const typed = (number?: string, now?: Date) => typeCard(app.database, storeId, number, now);
const create = (data: object, options = {}, on = api) =>
  on.post(CREATE, { method: 'CARD', data: { amount: 5_000, customer: ANA, ...data } }, options);
const paidBy = async (data: object, options = {}) => dataOf<CardCharge>(await create(data, options));
const get = async (id: string) => dataOf<CardCharge>(await api.get(`/v2/transparents/get?id=${id}`));
const inStatus = (id: string, status: CardCharge['status']) =>
  eventually(async () => {
    const charge = await get(id);
    expect(charge.status).toBe(status);
    return charge;
  });
async function savedCard(): Promise<string> {
  const { cardToken } = await paidBy({ token: await typed() });
  if (cardToken === null) throw new Error('no card was saved');
  return cardToken;
}
const countCharges = async () => {
  const counted = await app.database.em.fork().execute<{ count: string }[]>('select count(*) from charges');
  return Number(counted[0]?.count);
};

describe('a card that was just typed', () => {
  it('charges it at once and returns it as a saved card', async () => {
    const charge = await paidBy({ token: await typed(), description: 'Pedido 7', metadata: { a: 1 } });
    expect(charge).toMatchObject({
      method: 'CARD',
      status: 'PAID',
      amount: 5_000,
      paidAmount: 5_000,
      installments: 1,
      brand: 'visa',
      lastFour: '4242',
      actionUrl: null,
      declineReason: null,
      metadata: { a: 1 },
      receiptUrl: `${app.api.url}/receipt/${charge.id}`,
    });
    expect(charge.id).toMatch(/^card_[0-9A-Z]{26}$/);
    expect(charge.cardToken).toMatch(/^scrd_[0-9A-Z]{26}$/);
    expect(await get(charge.id)).toEqual(charge);
    const saved = await app.database.em
      .fork()
      .findOneOrFail(SavedCardEntity, { id: charge.cardToken as SavedCardId });
    expect(saved).toMatchObject({
      chargeId: charge.id,
      expiryMonth: '2040-12',
      customerId: charge.customerId,
    });
  });

  it('divides the amount into installments of at least R$ 10.00', async () => {
    expect(await paidBy({ token: await typed(), installments: 5 })).toMatchObject({ installments: 5 });
    expect(await paidBy({ token: await typed(), installmentCount: 2 })).toMatchObject({ installments: 2 });
    const answer = await create({ token: await typed(), installments: 6 });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'INSTALLMENTS_NOT_OFFERED' } });
  });

  it('answers a declined card with its reason and the id of the failed charge', async () => {
    const answer = await create({ token: await typed(DECLINED) });
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'CARD_DECLINED', declineReason: 'insufficient_funds', success: false },
    });
    const { chargeId } = answer.json as unknown as { chargeId: string };
    expect(await get(chargeId)).toMatchObject({
      status: 'FAILED',
      declineReason: 'insufficient_funds',
      cardToken: null,
    });
  });

  it('saves no card that never paid', async () => {
    const { json } = await create({ token: await typed(DECLINED) });
    const { chargeId } = json as unknown as { chargeId: string };
    const saved = await app.database.em
      .fork()
      .findOneOrFail(SavedCardEntity, { chargeId: chargeId as never });
    expect(await create({ cardToken: saved.id })).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });

  it('charges it after an issuer that answers later', async () => {
    expect(await paidBy({ token: await typed(PENDING) })).toMatchObject({ status: 'PAID' });
  });

  it('waits for its payer at their bank, and is paid after the confirmation', async () => {
    const charge = await paidBy({ token: await typed(CONFIRM) });
    expect(charge).toMatchObject({ status: 'PENDING', cardToken: null });
    expect(charge.actionUrl).toBe(`${app.api.url}/sandbox-bank/${charge.id}`);
    const simulated = await api.post(`/v2/transparents/simulate-payment?id=${charge.id}`);
    expect(simulated).toMatchObject({ status: 422, json: { rule: 'NOT_OPEN' } });
    const page = await fetch(charge.actionUrl ?? '');
    expect(page.headers.get('content-security-policy')).not.toContain('frame-ancestors');
    expect(page.headers.get('x-frame-options')).toBeNull();
    const decided = await fetch(charge.actionUrl ?? '', {
      method: 'POST',
      body: new URLSearchParams({ decision: 'confirm' }),
    });
    expect(decided.url).toBe(`${app.api.url}/card/${charge.id}/confirmed`);
    expect(decided.status).toBe(200);
    const paid = await inStatus(charge.id, 'PAID');
    expect(paid).toMatchObject({ actionUrl: null, cardToken: expect.stringMatching(/^scrd_/) });
  });

  it('fails if its payer refuses at their bank', async () => {
    const { id, actionUrl } = await paidBy({ token: await typed(CONFIRM) });
    await fetch(actionUrl ?? '', { method: 'POST', body: new URLSearchParams({ decision: 'refuse' }) });
    const failed = await inStatus(id, 'FAILED');
    expect(failed).toMatchObject({ declineReason: 'authentication_failed', cardToken: null });
  });

  it('pays one of many charges that arrive at once with the same token', async () => {
    const token = await typed();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(({ json }) => (json as { rule?: string }).rule)).toEqual(
      Array(7).fill('CARD_TOKEN_USED'),
    );
    const won = answers.filter(({ status }) => status === 200).map((answer) => dataOf<CardCharge>(answer).id);
    expect(refused[0]?.json.error).toContain(won[0]);
  });

  it('refuses it 60 seconds after it was typed, and stores nothing', async () => {
    const before = await countCharges();
    const answer = await create({ token: await typed(undefined, new Date(Date.now() - 60_000)) });
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'CARD_NOT_ACCEPTED', rule: 'CARD_TOKEN_EXPIRED' },
    });
    expect(await countCharges()).toBe(before);
  });

  it('returns 404 to another store and another environment', async () => {
    const token = await typed();
    const other = await app.anotherStore();
    const production = await app.clientWith({ storeId, devMode: false });
    const stranger = await create({ token }, {}, other.api);
    expect(stranger).toMatchObject({ status: 404, json: { error: 'Card token not found' } });
    expect((await create({ token }, {}, production)).status).not.toBe(200);
    expect(await create({ token: 'ctok_unknown' })).toMatchObject({ json: stranger.json });
    expect(await paidBy({ token })).toMatchObject({ status: 'PAID' });
  });
});

describe('a saved card', () => {
  it('charges it without its payer, whose bank would ask for them if present', async () => {
    const first = await paidBy({ token: await typed(CONFIRM) });
    await fetch(first.actionUrl ?? '', {
      method: 'POST',
      body: new URLSearchParams({ decision: 'confirm' }),
    });
    const { cardToken } = await inStatus(first.id, 'PAID');
    const again = await paidBy({ cardToken, amount: 100, externalId: 'again' });
    expect(again).toMatchObject({ status: 'PAID', amount: 100, cardToken, lastFour: '3155' });
  });

  it('returns the same charge for a repeated externalId or Idempotency-Key', async () => {
    const cardToken = await savedCard();
    const first = await paidBy({ cardToken, externalId: 'order-9' });
    expect((await paidBy({ cardToken, externalId: 'order-9' })).id).toBe(first.id);
    expect((await create({ cardToken, externalId: 'order-9', amount: 100 })).status).toBe(409);
    const keyed = { headers: { 'Idempotency-Key': 'charge-9' } };
    const one = await paidBy({ cardToken }, keyed);
    const other = await paidBy({ cardToken }, keyed);
    expect(one.id).toBe(other.id);
  });

  it('repeats a decline under its Idempotency-Key without charging again', async () => {
    const token = await typed(DECLINED);
    const keyed = { headers: { 'Idempotency-Key': 'declined' } };
    const answers = [await create({ token }, keyed), await create({ token }, keyed)];
    const ids = answers.map(({ json }) => (json as unknown as { chargeId: string }).chargeId);
    expect(answers.map(({ json }) => json.code)).toEqual(['CARD_DECLINED', 'CARD_DECLINED']);
    expect(ids[0]).toBe(ids[1]);
  });

  it('returns one 404 for another store or customer, and after its removal', async () => {
    const cardToken = await savedCard();
    const other = await app.anotherStore();
    const before = await countCharges();
    const answers = [
      await create({ cardToken }, {}, other.api),
      await create({ cardToken, customer: BRUNO }),
      await create({ cardToken: 'scrd_unknown' }),
    ];
    const { customerId } = await paidBy({ cardToken });
    await api.post(`/v2/customers/delete?id=${customerId}`);
    answers.push(await create({ cardToken }));
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(
      Array(4).fill([404, 'Saved card not found']),
    );
    expect(await countCharges()).toBe(before + 1);
  });
});

describe('a request for a card charge', () => {
  it('names every wrong field and stores nothing', async () => {
    const before = await countCharges();
    const answer = await api.post(CREATE, {
      method: 'CARD',
      data: { amount: 99, installments: 13, customer: { name: 'Ana' } },
    });
    expect(answer.status).toBe(400);
    expect(answer.json.issues?.map(({ path }) => path).sort()).toEqual([
      'data.amount',
      'data.customer.taxId',
      'data.installments',
      'data.token',
    ]);
    const both = await create({ token: 'ctok_a', cardToken: 'scrd_a' });
    expect(both.json.issues?.map(({ path }) => path)).toEqual(['data.cardToken']);
    expect(await countCharges()).toBe(before);
  });

  it('needs TRANSPARENT:CREATE, or a permission that created charges before', async () => {
    const statuses = async (...permissions: ('TRANSPARENT:CREATE' | 'CHECKOUT:CREATE' | 'STORE:READ')[]) =>
      (await create({ token: await typed() }, {}, await app.clientWith({ storeId, permissions }))).status;
    expect(await statuses('TRANSPARENT:CREATE')).toBe(200);
    expect(await statuses('CHECKOUT:CREATE')).toBe(200);
    expect(await statuses('STORE:READ')).toBe(403);
  });

  it('answers PENDING while Temporal is away, and is decided without another request', async () => {
    const away = app.apiWithoutTemporal;
    const mine = await typeCard(app.database, app.storeId);
    const charge = dataOf<CardCharge>(await create({ token: mine }, {}, away));
    expect(charge).toMatchObject({ status: 'PENDING', actionUrl: null });
  });
});

it('refunds a card charge, and lists and checks it like other charges', async () => {
  const { id } = await paidBy({ token: await typed(), externalId: 'listed' });
  expect(dataOf(await api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({ status: 'PAID' });
  const [listed] = dataOf<CardCharge[]>(await api.get('/v2/transparents/list?externalId=listed'));
  expect(listed).toMatchObject({ id, method: 'CARD' });
  dataOf(await api.post('/v2/transparents/refund', { id, amount: 1_000 }));
  expect(await get(id)).toMatchObject({ status: 'PAID' });
  dataOf(await api.post('/v2/transparents/refund', { id }));
  expect(await get(id)).toMatchObject({ status: 'REFUNDED' });
});
