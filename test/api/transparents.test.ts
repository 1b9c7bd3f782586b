import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import type { ShownCode } from '../../src/api/transparents/schema.ts';
import { parseDigitableLine } from '../../src/domain/boleto.ts';
import type { CivilDate } from '../../src/domain/civil-date.ts';
import { amountDueOn } from '../../src/domain/fine-and-interest.ts';
import { parseBrCode } from '../../src/domain/pix.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';

type Boleto = Extract<ShownCode, { method: 'BOLETO' }>;

const CREATE = '/v2/transparents/create';
/** A Wednesday afternoon in São Paulo, so that three business days ahead is the Monday after the weekend. */
const NOW = new Date('2026-12-02T15:00:00.000Z');
const ANA = {
  name: 'Ana Souza',
  taxId: '529.982.247-25',
  email: 'ana@example.com',
  cellphone: '11 91234-5678',
};

let app: TestApp;
let started: string[];
beforeAll(async () => {
  started = [];
  app = await createTestApp({
    clock: () => NOW,
    starter: { startSoon: (charge) => void started.push(charge.id) },
  });
});
afterAll(() => app.close());

const createPix = async (data: object = {}, options = {}) =>
  dataOf<ShownCode>(await app.api.post(CREATE, { method: 'PIX', data: { amount: 2500, ...data } }, options));
const createBoleto = async (data: object = {}) =>
  dataOf<Boleto>(
    await app.api.post(CREATE, { method: 'BOLETO', data: { amount: 25_000, customer: ANA, ...data } }),
  );
const countCharges = async () => {
  const [row] = await app.database.em.fork().execute<{ count: string }[]>('select count(*) from charges');
  return Number(row?.count);
};

describe('a PIX charge', () => {
  it('creates a PENDING PIX charge and starts its workflow after the commit', async () => {
    const charge = await createPix({ externalId: 'order-1', metadata: { b: 1, a: [2] } });
    expect(charge).toMatchObject({
      method: 'PIX',
      amount: 2500,
      paidAmount: null,
      status: 'PENDING',
      devMode: true,
      externalId: 'order-1',
      platformFee: 80,
      receiptUrl: null,
      createdAt: '2026-12-02T15:00:00.000Z',
      updatedAt: '2026-12-02T15:00:00.000Z',
    });
    expect(charge.id).toMatch(/^pix_char_[0-9A-Z]{26}$/);
    expect(JSON.stringify(charge.metadata)).toBe('{"b":1,"a":[2]}');
    expect(started).toContain(charge.id);
    expect(dataOf(await app.api.get(`/transparents/get?id=${charge.id}`))).toEqual(charge);
  });

  it('encodes the amount in a BR Code and in a QR code with the same text', async () => {
    const { brCode, brCodeBase64 } = await createPix({ amount: 123_456 });
    expect(parseBrCode(String(brCode))).toMatchObject({ amountCents: 123_456, merchantName: 'Loja Teste' });
    const image = PNG.sync.read(
      Buffer.from(String(brCodeBase64).replace('data:image/png;base64,', ''), 'base64'),
    );
    expect(jsqr.default(Uint8ClampedArray.from(image.data), image.width, image.height)?.data).toBe(brCode);
  });

  it('expires after expiresIn seconds, a day unless given', async () => {
    expect((await createPix({ expiresIn: 3600 })).expiresAt).toBe('2026-12-02T16:00:00.000Z');
    expect((await createPix()).expiresAt).toBe('2026-12-03T15:00:00.000Z');
    expect((await createPix({ expiresIn: null })).expiresAt).toBe('2026-12-03T15:00:00.000Z');
  });

  it('creates a PIX charge if the body has no method', async () => {
    expect(dataOf<ShownCode>(await app.api.post(CREATE, { data: { amount: 1 } })).method).toBe('PIX');
  });

  it('ignores interest and fine', async () => {
    expect(
      await createPix({ interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } }),
    ).not.toHaveProperty('fine');
  });
});

describe('a boleto', () => {
  it('returns a valid digitable line, the PIX code twice and a page for a boleto', async () => {
    const boleto = await createBoleto();
    expect(parseDigitableLine(boleto.barCode)).toMatchObject({ amountCents: 25_000 });
    expect(boleto.pix).toEqual({ brCode: boleto.brCode, brCodeBase64: boleto.brCodeBase64 });
    expect(boleto.url).toBe(`${app.api.url}/boleto/${boleto.id}`);
    expect(boleto.id).toMatch(/^bole_[0-9A-Z]{26}$/);
    expect(boleto.platformFee).toBe(250);
  });

  it('sets the due date three business days ahead in São Paulo time', async () => {
    expect(await createBoleto()).toMatchObject({
      dueDate: '2026-12-07',
      expiresAt: '2026-12-07T03:00:00.000Z',
    });
  });

  it('takes a due date from today to a year ahead', async () => {
    expect((await createBoleto({ dueDate: '2026-12-02' })).dueDate).toBe('2026-12-02');
    expect((await createBoleto({ dueDate: '2027-12-02' })).dueDate).toBe('2027-12-02');
    for (const dueDate of ['2026-12-01', '2027-12-03']) {
      const answer = await app.api.post(CREATE, {
        method: 'BOLETO',
        data: { amount: 300, customer: ANA, dueDate },
      });
      expect([answer.status, answer.json.issues?.[0]?.path]).toEqual([422, 'data.dueDate']);
    }
  });

  it('names a wrong tax id, amount and due date at once', async () => {
    const customer = { ...ANA, taxId: '111.111.111-11' };
    const before = await countCharges();
    const answer = await app.api.post(CREATE, {
      method: 'BOLETO',
      data: { amount: 299, customer, dueDate: '2026-12-01' },
    });
    expect(answer).toMatchObject({
      status: 422,
      json: {
        code: 'INVALID_TAX_ID',
        issues: [
          { path: 'data.customer.taxId' },
          { path: 'data.amount', rule: 'BELOW_BOLETO_MINIMUM' },
          { path: 'data.dueDate', rule: 'DUE_DATE_OUT_OF_RANGE' },
        ],
      },
    });
    expect(await countCharges()).toBe(before);
  });

  it('names a day that does not exist beside the other malformed fields', async () => {
    const data = { amount: '300', customer: ANA, dueDate: '2027-02-29' };
    const answer = await app.api.post(CREATE, { method: 'BOLETO', data });
    expect(answer).toMatchObject({
      status: 400,
      json: { issues: [{ path: 'data.amount' }, { path: 'data.dueDate' }] },
    });
  });

  it('shows interest and fine as configured, each null where there is none', async () => {
    const fine = { value: 1000, type: 'FIXED' };
    expect(await createBoleto({ fine, interest: { value: 0 } })).toMatchObject({ fine, interest: null });
    expect(await createBoleto({ interest: { value: 250 } })).toMatchObject({
      fine: null,
      interest: { value: 250 },
    });
  });

  it.each([
    [{}, {}],
    [{ value: 0 }, { value: 0, type: 'FIXED' }],
    [{ value: null }, { type: 'PERCENTAGE' }],
    [null, null],
    [undefined, { value: 0 }],
  ])('stores no late charges for interest %j and fine %j', async (interest, fine) => {
    expect(await createBoleto({ interest, fine })).toMatchObject({ interest: null, fine: null });
  });

  it('accepts any rate and fee and caps the amount due at what a bar code holds', async () => {
    const value = Number.MAX_SAFE_INTEGER;
    const terms = { interest: { value }, fine: { value, type: 'PERCENTAGE' as const } };
    expect(await createBoleto(terms)).toMatchObject(terms);
    for (const fine of [terms.fine, { value, type: 'FIXED' as const }, null]) {
      const boleto = {
        method: 'BOLETO' as const,
        amountCents: 25_000,
        dueDate: '2026-12-07' as CivilDate,
        interest: terms.interest,
        fine,
      };
      expect(amountDueOn(boleto, '2026-12-08' as CivilDate)).toMatchObject({ totalCents: 9_999_999_999 });
    }
  });

  it('gives each of many made at once a number of its own', async () => {
    const boletos = await Promise.all(Array.from({ length: 20 }, () => createBoleto()));
    expect(new Set(boletos.map((boleto) => boleto.barCode)).size).toBe(20);
  });
});

describe('the payer', () => {
  it('creates one customer per tax id from 20 requests at once', async () => {
    const customer = { ...ANA, taxId: '111.444.777-35' };
    const charges = await Promise.all(Array.from({ length: 20 }, () => createPix({ customer })));
    expect(new Set(charges.map((charge) => charge.customerId)).size).toBe(1);
  });

  it.each(['529.982.247-24', '00000000000', 'abc', '12.abc.345/01de-35'])(
    'returns 422 for the tax id %s and stores nothing',
    async (taxId) => {
      const before = await countCharges();
      const answer = await app.api.post(CREATE, {
        method: 'PIX',
        data: { amount: 1, customer: { ...ANA, taxId } },
      });
      expect([answer.status, answer.json.code]).toEqual([422, 'INVALID_TAX_ID']);
      expect(await countCharges()).toBe(before);
    },
  );

  it.each([
    [{ name: 'Fulano de Tal' }, false],
    [{ cellphone: '11 91234-5678' }, false],
    [{ email: 'so-email@example.com' }, true],
    [{ taxId: '390.533.447-05' }, true],
    [{ name: 'Ana', email: '', taxId: null, cellphone: '' }, false],
    [{}, false],
    [null, false],
  ])('identifies the payer only by e-mail or tax id: %j', async (customer, isIdentified) => {
    const { customerId } = await createPix({ customer });
    expect(customerId !== null).toBe(isIdentified);
  });

  it('creates one customer per e-mail address from 20 requests at once', async () => {
    const customer = { email: 'Once@example.com' };
    const charges = await Promise.all(Array.from({ length: 20 }, () => createPix({ customer })));
    const { customerId } = await createPix({ customer: { email: 'once@EXAMPLE.com', name: 'Ana' } });
    expect(new Set(charges.map((charge) => charge.customerId))).toEqual(new Set([customerId]));
  });

  it('accepts a company with an alphanumeric CNPJ', async () => {
    const charge = await createPix({ customer: { ...ANA, taxId: '12.ABC.345/01DE-35' } });
    expect(charge.customerId).toMatch(/^cust_/);
  });
});

describe('late charges', () => {
  it.each([{ value: -1 }, 'soon', { type: 'MONTHLY' }, 7, null])(
    'ignores late charges of a PIX charge, whatever their value: %j',
    async (terms) => {
      const charge = await createPix({ interest: terms, fine: terms });
      expect(charge).not.toHaveProperty('interest');
    },
  );
});

describe('nullable fields', () => {
  it('accepts null for fields that responses return as null', async () => {
    const none = { description: null, externalId: null, metadata: null, utm: null, customer: null };
    expect(await createPix(none)).toMatchObject({ externalId: null, metadata: {} });
    const { interest, fine, externalId } = await createBoleto();
    expect([interest, fine, externalId]).toEqual([null, null, null]);
    expect(await createBoleto({ interest, fine, externalId, dueDate: null })).toMatchObject({
      interest,
      fine,
    });
  });
});

describe('a request with an Idempotency-Key', () => {
  it('creates one charge and starts one workflow, however often it is repeated', async () => {
    const headers = { 'Idempotency-Key': 'create-1' };
    const first = await createPix({}, { headers });
    expect(await createPix({}, { headers })).toEqual(first);
    expect(started.filter((id) => id === first.id)).toHaveLength(1);
  });
});

describe('refused charges', () => {
  const pix = (data: unknown) => ({ method: 'PIX', data });
  it.each<[string, unknown, string]>([
    ['a fraction of a cent', pix({ amount: 25.5 }), 'data.amount'],
    ['an amount as text', pix({ amount: '2500' }), 'data.amount'],
    ['nothing', pix({ amount: 0 }), 'data.amount'],
    ['a negative amount', pix({ amount: -1 }), 'data.amount'],
    ['more than a bar code holds', pix({ amount: 10_000_000_000 }), 'data.amount'],
    ['no amount', pix({}), 'data.amount'],
    ['no data', { method: 'PIX' }, 'data'],
    ['another method', { method: 'CASH', data: { amount: 1 } }, 'method'],
    ['a misspelt field', pix({ amount: 1, expiresin: 60 }), 'data.expiresin'],
    ['an expiry of zero', pix({ amount: 1, expiresIn: 0 }), 'data.expiresIn'],
    [
      'a customer with no e-mail address',
      pix({ amount: 1, customer: { email: 'ana' } }),
      'data.customer.email',
    ],
    ['a number as a name', pix({ amount: 1, customer: { name: 5 } }), 'data.customer.name'],
    [
      'a boleto of nobody',
      { method: 'BOLETO', data: { amount: 300, customer: { name: '', taxId: '' } } },
      'data.customer.name',
    ],
    ['a boleto without payer', { method: 'BOLETO', data: { amount: 300 } }, 'data.customer'],
    [
      'a day that does not exist',
      { method: 'BOLETO', data: { amount: 300, customer: ANA, dueDate: '2027-02-29' } },
      'data.dueDate',
    ],
    [
      'negative interest',
      { method: 'BOLETO', data: { amount: 300, customer: ANA, interest: { value: -1 } } },
      'data.interest.value',
    ],
    [
      'a fine of no type',
      { method: 'BOLETO', data: { amount: 300, customer: ANA, fine: { value: 1 } } },
      'data.fine.type',
    ],
    ['NUL in text', pix({ amount: 1, description: 'a\0b' }), 'data.description'],
    ['a lone surrogate', pix({ amount: 1, externalId: '\ud800' }), 'data.externalId'],
    ['metadata that is no object', pix({ amount: 1, metadata: [] }), 'data.metadata'],
    ['17 KiB of metadata', pix({ amount: 1, metadata: { a: 'x'.repeat(17_000) } }), 'data.metadata'],
  ])('%s is refused with 400 naming the field, and nothing is stored', async (_, body, path) => {
    const before = await countCharges();
    const answer = await app.api.post(CREATE, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ data: null, success: false, code: 'VALIDATION_ERROR' });
    expect(answer.json.issues?.map((issue) => issue.path)).toContain(path);
    expect(answer.json.error).toContain(path);
    expect(await countCharges()).toBe(before);
  });

  it('returns 422 for a boleto below 300 cents', async () => {
    const answer = await app.api.post(CREATE, { method: 'BOLETO', data: { amount: 299, customer: ANA } });
    expect([answer.status, answer.json.issues?.[0]?.path]).toEqual([422, 'data.amount']);
  });

  it('refuses a production key without a provider and stores nothing', async () => {
    const before = await countCharges();
    const production = await app.clientWith({ devMode: false });
    const answer = await production.post(CREATE, { method: 'PIX', data: { amount: 2500 } });
    expect([answer.status, answer.json.error]).toEqual([422, 'No payment provider configured']);
    expect(await countCharges()).toBe(before);
  });
});

describe('reading charges', () => {
  it('makes the code of a row that lacks one, and lists it with the others', async () => {
    const { id, brCode } = await createPix();
    await app.database.em.fork().execute('update charges set br_code = null where id = ?', [id]);
    const got = dataOf<ShownCode>(await app.api.get(`/v2/transparents/get?id=${id}`));
    expect(parseBrCode(String(got.brCode))).toEqual(parseBrCode(String(brCode)));
    expect(await app.api.get('/v2/transparents/list')).toMatchObject({ status: 200 });
  });

  it('finds a charge by char_ in place of its prefix', async () => {
    const charge = await createPix();
    const found = await app.api.get(`/v2/transparents/get?id=${charge.id.replace('pix_char_', 'char_')}`);
    expect(dataOf<ShownCode>(found).id).toBe(charge.id);
  });

  it('checks status and expiry alone', async () => {
    const { id, expiresAt } = await createPix();
    expect(dataOf(await app.api.get(`/transparents/check?id=${id}`))).toEqual({
      id,
      devMode: true,
      status: 'PENDING',
      expiresAt,
    });
  });

  it('returns the same 404 for an unknown charge, another store and environment', async () => {
    const { id } = await createPix();
    const other = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const production = await app.clientWith({ devMode: false });
    const answers = [
      await app.api.get('/transparents/get?id=pix_char_0'),
      await other.get(`/transparents/get?id=${id}`),
      await production.get(`/transparents/get?id=${id}`),
      await other.post(`/transparents/simulate-payment?id=${id}`),
      await other.post('/transparents/cancel', { id }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  });

  it('lists by externalId and status, newest first', async () => {
    const { id } = await createPix({ externalId: 'listed' });
    const list = dataOf<ShownCode[]>(
      await app.api.get('/transparents/list?externalId=listed&status=PENDING'),
    );
    expect(list.map((charge) => charge.id)).toEqual([id]);
    expect(dataOf(await app.api.get('/transparents/list?externalId=listed&status=PAID'))).toEqual([]);
  });

  it('lists by method', async () => {
    const [pix, boleto] = [await createPix(), await createBoleto()];
    const listed = async (method: string) =>
      dataOf<ShownCode[]>(await app.api.get(`/v2/transparents/list?limit=100&method=${method}`));
    const ofPix = await listed('PIX');
    expect(ofPix.map(({ id }) => id)).toContain(pix.id);
    expect(ofPix.map(({ id }) => id)).not.toContain(boleto.id);
    expect((await listed('BOLETO')).map(({ id }) => id)).toContain(boleto.id);
    expect((await app.api.get('/v2/transparents/list?method=TED')).status).toBe(400);
  });

  it('updates the PIX code of a late boleto to the amount due and keeps its amount', async () => {
    const boleto = await createBoleto({
      dueDate: '2026-12-02',
      fine: { value: 200, type: 'PERCENTAGE' },
      interest: { value: 100 },
    });
    // Thirty days late: 2 % fine and one month of interest.
    const later = await createTestApp({
      clock: () => new Date('2027-01-01T15:00:00.000Z'),
      database: app.database,
    });
    const shown = dataOf<Boleto>(await later.api.as(app.api.key).get(`/transparents/get?id=${boleto.id}`));
    await later.close();
    expect(shown.amount).toBe(25_000);
    expect(parseBrCode(String(shown.brCode))?.amountCents).toBe(25_750);
  });
});

describe('simulating a payment', () => {
  it('refuses to simulate a payment with a production key', async () => {
    const production = await app.clientWith({ devMode: false });
    const answer = await production.post('/transparents/simulate-payment?id=pix_char_0');
    expect([answer.status, answer.json.code]).toEqual([403, 'WRONG_ENVIRONMENT']);
  });

  it('returns 503 without Temporal and keeps the payment unacknowledged', async () => {
    const { id } = await createPix();
    const answer = await app.api.post(`/transparents/simulate-payment?id=${id}`);
    expect([answer.status, answer.json.code]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    const [row] = await app.database.em
      .fork()
      .execute('select status, notified_at from sandbox_charges where reference = ?', [id.slice(-25)]);
    expect(row).toEqual({ status: 'PAID', notified_at: null });
  });
});
