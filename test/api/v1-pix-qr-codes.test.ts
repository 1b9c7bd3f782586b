import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CustomerView } from '../../src/api/customers/schema.ts';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { V1Client } from '../support/api/v1.ts';

const ANA = {
  name: 'Ana Souza',
  cellphone: '+55 11 91234-5678',
  email: 'ana@example.com',
  taxId: '529.982.247-25',
};

let app: TestApp;
let documented: V1Client;
let storeId: StoreId;
let api: ApiClient;
let v1: V1Client;
const now = new Date('2026-12-04T15:00:00.000Z');
beforeAll(async () => {
  app = await createTestApp({ clock: () => now });
  documented = await V1Client.of(app.api);
});
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  v1 = documented.as(api);
});
afterAll(() => app.close());

interface Made {
  readonly id: ChargeId;
  readonly brCode: string;
}

const create = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  v1.post('/pixQrCode/create', { amount: 2500, ...changes }, { headers });
const made = async (changes: Record<string, unknown> = {}) => dataOf<Made>(await create(changes));
const check = (id: string) => v1.get(`/pixQrCode/check?id=${id}`);
const inV2 = async (id: string) => dataOf<ShownCharge>(await api.get(`/v2/transparents/get?id=${id}`));
const row = (id: ChargeId) => app.database.em.fork().findOneOrFail(ChargeEntity, { id });
const inStatus = async (status: ChargeStatus) => {
  const { id } = await made();
  await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, { status });
  return id;
};
const boleto = async () => {
  const data = { amount: 2500, customer: { name: ANA.name, taxId: ANA.taxId } };
  return dataOf<Made>(await api.post('/v2/transparents/create', { method: 'BOLETO', data })).id;
};
/** Turns a charge into a card charge, as a payer starts one in a checkout. */
const cardCharge = async () => {
  const { id } = await made();
  const cardId = id.replace('pix_char_', 'card_') as ChargeId;
  const changes = { id: cardId, method: 'CARD' as const, brCode: null };
  await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, changes);
  return cardId;
};

describe('a PIX QR code', () => {
  it("accepts the Python client's field names, and null for unknown fields", async () => {
    const { taxId, ...others } = ANA;
    const body = {
      amount: 2500,
      expires_in: 3600,
      description: null,
      customer: { ...others, tax_id: taxId },
    };
    const { json } = await api.post('/v1/pixQrCode/create', body);
    const { id } = json.data as Made;
    expect(json).toMatchObject({ data: { expiresAt: '2026-12-04T16:00:00.000Z' }, error: null });
    expect((await inV2(id)).customerId).toMatch(/^cust_/);
    const withoutExpiry = await api.post('/v1/pixQrCode/create', { amount: 2500, expires_in: null });
    expect(withoutExpiry.json).toMatchObject({
      data: { expiresAt: '2026-12-05T15:00:00.000Z' },
      error: null,
    });
    const twice = await api.post('/v1/pixQrCode/create', { amount: 2500, expires_in: 60, expiresIn: 90 });
    expect([twice.status, twice.json.error]).toEqual([400, 'expires_in: is not a known field']);
  });

  it('returns every field of the v1 contract', async () => {
    expect((await create({ expiresIn: 3600 })).json).toEqual({
      data: {
        id: expect.stringMatching(/^pix_char_[0-9A-Z]{26}$/),
        amount: 2500,
        status: 'PENDING',
        devMode: true,
        method: 'PIX',
        description: '',
        metadata: {},
        brCode: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
        brCodeBase64: expect.stringMatching(/^data:image\/png;base64,/),
        platformFee: 80,
        createdAt: '2026-12-04T15:00:00.000Z',
        updatedAt: '2026-12-04T15:00:00.000Z',
        expiresAt: '2026-12-04T16:00:00.000Z',
      },
      error: null,
    });
  });

  it('creates a transparent charge of v2 with customer and metadata', async () => {
    const { id, brCode } = await made({ customer: ANA, metadata: { a: 1 }, description: 'Pedido 1' });
    const [customer] = dataOf<CustomerView[]>(await api.get('/v2/customers/list'));
    expect(customer).toMatchObject(ANA);
    expect(await inV2(id)).toMatchObject({
      method: 'PIX',
      brCode,
      customerId: customer?.id,
      metadata: { a: 1 },
      expiresAt: '2026-12-05T15:00:00.000Z',
    });
    expect((await row(id)).description).toBe('Pedido 1');
    expect(dataOf<ShownCharge[]>(await api.get('/v2/transparents/list')).map((one) => one.id)).toEqual([id]);
  });

  it.each([
    ['x'.repeat(37), 'x'.repeat(37)],
    ['x'.repeat(38), 'x'.repeat(37)],
    [`${'x'.repeat(36)}😀y`, `${'x'.repeat(36)}😀`],
    ['', null],
    ['   ', null],
  ])('keeps of the description %j what fits into 37 characters', async (description, kept) => {
    expect((await row((await made({ description })).id)).description).toBe(kept);
  });

  it('creates a charge once when its Idempotency-Key is repeated', async () => {
    const headers = { 'Idempotency-Key': 'pix-1' };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
  });

  it.each([
    [400, 'amount', { amount: undefined }],
    [400, 'amount', { amount: 10.5 }],
    [400, 'expiresIn', { expiresIn: 0 }],
    [400, 'description', { description: 1 }],
    [400, 'customer.email', { customer: { ...ANA, email: undefined } }],
    [422, 'customer.taxId', { customer: { ...ANA, taxId: '1' } }],
    [400, 'data', { data: {} }],
    [400, 'externalId', { externalId: 'x' }],
  ])('returns %d naming %s and stores nothing, case %#', async (status, field, changes) => {
    const answer = await create(changes);
    expect([answer.status, answer.json.error?.split(': ')[0]]).toEqual([status, field]);
    expect(dataOf(await api.get('/v2/transparents/list'))).toEqual([]);
  });

  it('refuses a PIX QR code with a production key if no provider is configured', async () => {
    const production = documented.as(await app.clientWith({ storeId, devMode: false }));
    expect(await production.post('/pixQrCode/create', { amount: 2500 })).toMatchObject({
      status: 422,
      json: { error: 'No payment provider configured' },
    });
  });
});

describe('a check', () => {
  it('returns the status of a charge and its expiry', async () => {
    const { id } = await made();
    expect((await check(id)).json).toEqual({
      data: { id, devMode: true, status: 'PENDING', expiresAt: '2026-12-05T15:00:00.000Z' },
      error: null,
    });
  });

  it('finds what v2 created, also by char_', async () => {
    const { id } = dataOf<Made>(await api.post('/v2/transparents/create', { data: { amount: 900 } }));
    expect(dataOf(await check(id))).toMatchObject({ id, status: 'PENDING' });
    expect(dataOf(await check(id.replace('pix_', '')))).toMatchObject({ id });
  });

  it.each([
    ['PAID', 'PAID'],
    ['EXPIRED', 'EXPIRED'],
    ['CANCELLED', 'CANCELLED'],
    ['REFUNDED', 'REFUNDED'],
    ['UNDER_DISPUTE', 'PAID'],
    ['FAILED', 'EXPIRED'],
  ] as const)('shows %s as %s', async (status, shown) => {
    expect(dataOf(await check(await inStatus(status)))).toMatchObject({ status: shown });
  });

  it.each([
    ['a boleto', boleto],
    ['a card charge', cardCharge],
    ['nothing', async () => 'pix_char_1'],
  ])('returns 404 when checking %s', async (_, id) => {
    expect(await check(await id())).toMatchObject({ status: 404, json: { data: null } });
  });

  it('returns 404 when checking a charge of another store or environment', async () => {
    const { id } = await made();
    const production = documented.as(await app.clientWith({ storeId, devMode: false }));
    for (const stranger of [documented, production]) {
      expect((await stranger.get(`/pixQrCode/check?id=${id}`)).status).toBe(404);
    }
  });

  it('returns 400 for a check without an id', async () => {
    expect(await v1.get('/pixQrCode/check')).toMatchObject({
      status: 400,
      json: { error: 'id: is required' },
    });
  });
});

describe('a simulated payment', () => {
  const simulate = (id: string, client = v1, body: unknown = {}) =>
    client.post(`/pixQrCode/simulate-payment?id=${id}`, body);

  it('returns a paid charge unchanged when its payment is simulated', async () => {
    const id = await inStatus('PAID');
    expect(dataOf(await simulate(id, v1, { metadata: { a: 1 } }))).toMatchObject({ id, status: 'PAID' });
  });

  it('refuses to simulate the payment of a cancelled charge', async () => {
    expect((await simulate(await inStatus('CANCELLED'))).status).toBe(422);
  });

  it('pays neither a boleto nor a card charge', async () => {
    for (const id of [await boleto(), await cardCharge()]) {
      expect((await simulate(id)).status).toBe(404);
      expect((await row(id)).status).toBe('PENDING');
    }
  });

  it('refuses to simulate a payment outside dev mode', async () => {
    const { id } = await made();
    await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, { devMode: false });
    const production = documented.as(await app.clientWith({ storeId, devMode: false }));
    expect((await simulate(id, production)).status).toBe(403);
  });

  it("returns 404 when simulating a payment of another store's charge", async () => {
    expect((await simulate((await made()).id, documented)).status).toBe(404);
  });

  it('refuses unknown fields of a simulated payment', async () => {
    expect(await simulate((await made()).id, v1, { amount: 1 })).toMatchObject({
      status: 400,
      json: { error: 'amount: is not a known field' },
    });
  });
});
