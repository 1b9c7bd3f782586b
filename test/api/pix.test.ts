import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShownTransfer } from '../../src/api/payouts/schema.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { buildBrCode, buildDynamicBrCode } from '../../src/domain/pix.ts';
import { PIX_KEY_RULES } from '../../src/domain/pix-key.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { changedCode } from '../support/outside/payee-codes.ts';
import { availableCents, credit } from '../support/rows/credit.ts';

const BR_CODE = buildBrCode({
  key: 'ana@example.com',
  merchantName: 'Ana Souza',
  merchantCity: 'Recife',
  amountCents: 1_990,
  txid: 'PEDIDO1042',
});

let app: TestApp;
let storeId: StoreId;
/** A key of the test's own store, which has R$ 100,00. */
let api: ApiClient;

beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
});
beforeEach(async () => {
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  await credit(app.database, { storeId, devMode: true }, 10_000);
});
afterAll(() => app.close());

const BODY = {
  amount: 1_990,
  externalId: 'supplier-7',
  pix: { type: 'EMAIL', key: 'ana@example.com' },
};
const send = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  api.post('/v2/pix/send', { ...BODY, ...changes }, { headers });
const sendTo = (type: string, key: string) => send({ pix: { type, key } });
const available = () => availableCents(app.database, { storeId, devMode: true });

describe('POST /pix/send', () => {
  it('reserves the amount at once and returns a pending transfer', async () => {
    const transfer = dataOf<ShownTransfer>(await send({ description: 'Fornecedor' }));
    expect(transfer).toEqual({
      id: expect.stringMatching(/^tran_[0-9A-Z]{26}$/),
      status: 'PENDING',
      devMode: true,
      amount: 1_990,
      platformFee: 0,
      returnedAmount: 0,
      externalId: 'supplier-7',
      description: 'Fornecedor',
      method: 'PIX',
      receiptUrl: expect.stringContaining('/receipt/tran_'),
      endToEndIdentifier: null,
      reason: null,
      approval: null,
      pix: { type: 'EMAIL', key: 'ana@example.com', txid: null },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: transfer.createdAt,
    });
    expect(await available()).toBe(8_010);
  });

  it.each([
    ['CPF', '529.982.247-25', '52998224725', '529.***.***-**'],
    ['CNPJ', '12.ABC.345/01DE-35', '12ABC34501DE35', '12.***.***/01DE-**'],
    ['PHONE', '(11) 91234-5678', '+5511912345678', '+5511912345678'],
    ['EMAIL', 'Ana@Example.com', 'ana@example.com', 'ana@example.com'],
    [
      'RANDOM',
      '2F9C1B7E-5A34-4D0F-9B1E-7C6A8D3E4F50',
      '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50',
      '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50',
    ],
    ['BR_CODE', BR_CODE, BR_CODE, BR_CODE],
  ])('sends to a key of type %s, %s, stored as %s and shown as %s', async (type, key, kept, shown) => {
    const { id, pix } = dataOf<ShownTransfer>(await sendTo(type, key));
    expect(pix).toEqual({ type, key: shown, txid: type === 'BR_CODE' ? 'PEDIDO1042' : null });
    const row = await app.database.em.fork().findOneOrFail(PayoutEntity, { id: id as PayoutId });
    expect([row.pixKeyType, row.pixKey]).toEqual([type, kept]);
  });

  it.each([
    ['CPF', '529.982.247-24'],
    ['CNPJ', '12.ABC.345/01DE-36'],
    ['PHONE', '+1 212 555 0100'],
    ['EMAIL', 'ana@localhost'],
    ['RANDOM', 'ana@example.com'],
    ['BR_CODE', BR_CODE.replace('19.90', '18.90')],
  ] as const)('returns 422 with the rule of the key type for an invalid %s: %s', async (type, key) => {
    const answer = await sendTo(type, key);
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'INVALID_PIX_KEY', issues: [{ path: 'pix.key', message: PIX_KEY_RULES[type] }] },
    });
    expect(answer.text).not.toContain(key);
    expect(await available()).toBe(10_000);
  });

  it('refuses a BR Code that asks for another amount, and names both', async () => {
    const answer = await send({ amount: 1_991, pix: { type: 'BR_CODE', key: BR_CODE } });
    expect(answer).toMatchObject({
      status: 422,
      json: { code: 'INVALID_PIX_KEY', issues: [{ path: 'pix.key' }] },
    });
    expect(answer.json.error).toContain('R$ 19,90');
    expect(answer.json.error).toContain('R$ 19,91');
    expect(await available()).toBe(10_000);
  });

  it('keeps the txid of a BR Code, and none where the code has none', async () => {
    const row = async (externalId: string, key: string) => {
      const pix = { type: 'BR_CODE', key };
      const { id } = dataOf<ShownTransfer>(await send({ externalId, pix }));
      return app.database.em.fork().findOneOrFail(PayoutEntity, { id: id as PayoutId });
    };
    expect((await row('with', BR_CODE)).payeeTxid).toBe('PEDIDO1042');
    expect(
      (await row('without', changedCode(BR_CODE, '62140510PEDIDO1042', '62070503***'))).payeeTxid,
    ).toBeNull();
  });

  it.each([
    ['a txid that no PIX can carry', changedCode(BR_CODE, 'PEDIDO1042', 'PEDIDO-042')],
    ['a key that no PIX can carry', changedCode(BR_CODE, 'ana@example.com', 'ana example com')],
  ])('refuses a BR Code with %s, and stores nothing', async (_, key) => {
    expect(await sendTo('BR_CODE', key)).toMatchObject({
      status: 422,
      json: {
        code: 'INVALID_PIX_KEY',
        issues: [{ path: 'pix.key', message: expect.stringContaining('1 to 25 letters') }],
      },
    });
    expect(await available()).toBe(10_000);
  });

  it('refuses a dynamic BR Code, which names an address in place of a key', async () => {
    const merchant = { merchantName: 'Ana Souza', merchantCity: 'Recife' };
    const key = buildDynamicBrCode({ location: 'pix.example.com/qr/v2/9d36b84f', ...merchant });
    expect(await sendTo('BR_CODE', key)).toMatchObject({
      status: 422,
      json: { code: 'INVALID_PIX_KEY', issues: [{ path: 'pix.key', message: PIX_KEY_RULES.BR_CODE }] },
    });
  });

  it.each([
    ['amount', { amount: 0 }],
    ['amount', { amount: 1.5 }],
    ['externalId', { externalId: undefined }],
    ['pix', { pix: undefined }],
    ['pix.type', { pix: { type: 'IBAN', key: 'BR15' } }],
    ['pix.key', { pix: { type: 'EMAIL', key: ' ' } }],
    ['pix.name', { pix: { type: 'EMAIL', key: 'ana@example.com', name: 'Ana' } }],
  ])('refuses a malformed transfer with 400: %s of %j', async (path, changes) => {
    expect(await send(changes)).toMatchObject({ status: 400, json: { issues: [{ path }] } });
  });

  it('sends the whole balance without minimum or pause and refuses a cent more', async () => {
    dataOf(await send({ amount: 1, externalId: 'one cent' }));
    expect(await send({ amount: 10_000 })).toMatchObject({
      status: 422,
      json: { code: 'INSUFFICIENT_FUNDS', issues: [{ path: 'amount' }] },
    });
    dataOf(await send({ amount: 9_999 }));
    expect(await available()).toBe(0);
  });

  it('returns the same transfer for the same content, in any form of the key', async () => {
    const first = await sendTo('CPF', '529.982.247-25');
    expect((await sendTo('CPF', '52998224725')).text).toBe(first.text);
    expect(await available()).toBe(8_010);
  });

  it.each([{ amount: 1_991 }, { description: 'x' }, { pix: { type: 'EMAIL', key: 'bia@example.com' } }])(
    'refuses other content under the same externalId with 409: %j',
    async (changes) => {
      await send();
      expect(await send(changes)).toMatchObject({ status: 409, json: { code: 'EXTERNAL_ID_CONFLICT' } });
      expect(await available()).toBe(8_010);
    },
  );

  it('accepts the externalId of a payout for a transfer', async () => {
    dataOf(await send());
    const payout = await api.post('/v2/payouts/create', { amount: 350, externalId: BODY.externalId });
    expect(payout).toMatchObject({ status: 200 });
  });

  it('replays the answer for the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send({}, headers);
    const retry = await send({}, headers);
    expect([retry.text, retry.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true']);
    expect(await available()).toBe(8_010);
  });

  it('refuses a transfer with a production key if no provider is configured', async () => {
    const production = await app.clientWith({ storeId, devMode: false });
    expect(await production.post('/v2/pix/send', BODY)).toMatchObject({
      status: 422,
      json: { code: 'NO_PAYMENT_PROVIDER' },
    });
  });

  it('logs no PIX key', async () => {
    dataOf(await sendTo('CPF', '529.982.247-25'));
    expect(JSON.stringify(app.logged)).not.toMatch(/529\.?982/);
    expect(app.logged.at(-1)).toMatchObject({ payoutId: expect.stringMatching(/^tran_/) });
  });
});

describe('a transfer', () => {
  it('finds a transfer by externalId or id', async () => {
    const created = await send();
    const { id } = dataOf<ShownTransfer>(created);
    expect((await api.get('/v2/pix/get?externalId=supplier-7')).text).toBe(created.text);
    expect((await api.get(`/v2/pix/get?id=${id}`)).text).toBe(created.text);
    expect(await api.get('/v2/pix/get')).toMatchObject({ status: 400 });
    expect(await app.api.get(`/v2/pix/get?id=${id}`)).toMatchObject({ status: 404 });
    expect(await api.get(`/v2/payouts/get?id=${id}`)).toMatchObject({ status: 404 });
  });

  it('lists transfers newest first, filters them and masks tax ids', async () => {
    const first = dataOf<ShownTransfer>(await sendTo('CPF', '52998224725'));
    const second = dataOf<ShownTransfer>(await send({ externalId: 'supplier-8' }));
    const list = async (query: string) => dataOf(await api.get(`/v2/pix/list?${query}`));
    expect(await list('status=PENDING')).toEqual([second, first]);
    expect(await list('externalId=supplier-7')).toEqual([first]);
    expect(await list('status=FAILED')).toEqual([]);
    expect(first.pix.key).toBe('529.***.***-**');
  });
});
