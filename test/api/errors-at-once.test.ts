import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { buildProduct } from '../support/rows/catalog.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Shown {
  readonly path: string;
  readonly rule?: string;
}

async function refused(path: string, body: object) {
  const { status, json } = await app.api.post(`/v2/${path}`, body);
  const { code, issues } = json as { code: string; issues: readonly Shown[] };
  return { status, code, issues: issues.map(({ path, rule }) => [path, rule]) };
}

const WRONG_CPF = '529.982.247-24';

describe('one answer', () => {
  it('names a missing amount, a wrong CPF and a wrong due date of a boleto', async () => {
    const customer = { name: 'Ana Souza', taxId: WRONG_CPF };
    const data = { customer, dueDate: '2020-01-02', externalID: 'order-1' };
    expect(await refused('transparents/create', { method: 'BOLETO', data })).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      issues: [
        ['data.amount', 'REQUIRED'],
        ['data.externalID', 'UNKNOWN_FIELD'],
        ['data.customer.taxId', undefined],
        ['data.dueDate', 'DUE_DATE_OUT_OF_RANGE'],
      ],
    });
  });

  it('names a field of the wrong form once, without a business rule', async () => {
    const data = { amount: 1, dueDate: '2020-02-30', customer: { name: 7, taxId: 529 } };
    const { issues } = await refused('transparents/create', { method: 'BOLETO', data });
    expect(issues).toEqual([
      ['data.customer.name', 'WRONG_TYPE'],
      ['data.customer.taxId', 'WRONG_TYPE'],
      ['data.dueDate', 'WRONG_VALUE'],
      ['data.amount', 'BELOW_BOLETO_MINIMUM'],
    ]);
  });

  it.each([
    ['data.taxId', { data: { email: 'ana', taxId: WRONG_CPF } }, 'data.email'],
    ['taxId', { email: 'ana', taxId: WRONG_CPF }, 'email'],
  ])('names a wrong e-mail and a wrong CPF of a customer in %s', async (taxId, body, email) => {
    expect(await refused('customers/create', body)).toMatchObject({
      status: 400,
      issues: [
        [email, 'WRONG_FORMAT'],
        [taxId, undefined],
      ],
    });
  });

  const UNKNOWN = 'prod_01J9Z3VYK0W6F0S7R2M8QH4T5B';

  it('names every unknown product, customer, coupon and upsell of a checkout', async () => {
    const plan = await buildProduct(app.api, { cycle: 'MONTHLY' });
    const body = {
      items: [
        { id: UNKNOWN, quantity: 1 },
        { id: plan.id, quantity: 1 },
      ],
      customerId: 'cust_01J9Z3VYK0W6F0S7R2M8QH4T5B',
      coupons: ['NOBODYS'],
      upSellProductId: plan.id,
      methods: ['PIX'],
      card: { maxInstallments: 2 },
    };
    const broken = [
      ['items[0].id', 'UNKNOWN_PRODUCT'],
      ['items[1].id', 'PRODUCT_HAS_CYCLE'],
      ['card', 'CARD_NOT_OFFERED'],
      ['customerId', 'UNKNOWN_CUSTOMER'],
      ['coupons[0]', 'COUPON_UNKNOWN'],
      ['upSellProductId', 'NO_ONE_OFF_PRODUCT'],
    ];
    expect(await refused('checkouts/create', body)).toEqual({
      status: 422,
      code: 'NOT_ACCEPTABLE',
      issues: broken,
    });
    const misspelt = { ...body, quantity: 1 };
    expect(await refused('payment-links/create', misspelt)).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      issues: [['quantity', 'UNKNOWN_FIELD'], ...broken.filter(([path]) => path !== 'card')],
    });
  });

  it('names the product, coupon and installments of a subscription', async () => {
    const { id } = await buildProduct(app.api);
    const code = 'WELCOME';
    const coupon = { code, discountKind: 'PERCENTAGE', discount: 10 };
    expect(await app.api.post('/v2/coupons/create', coupon)).toMatchObject({ status: 200 });
    const body = { items: [{ id, quantity: 1 }], coupons: [code, 'NOBODYS'], card: { maxInstallments: 3 } };
    expect(await refused('subscriptions/create', body)).toMatchObject({
      status: 422,
      issues: [
        ['items[0].id', 'PRODUCT_WITHOUT_CYCLE'],
        ['card.maxInstallments', 'INSTALLMENTS_OF_SUBSCRIPTION'],
        ['coupons[1]', 'COUPON_UNKNOWN'],
      ],
    });
    expect(await refused('subscriptions/create', { ...body, methods: ['CASH'] })).toMatchObject({
      status: 400,
      issues: [
        ['methods[0]', 'WRONG_VALUE'],
        ['items[0].id', 'PRODUCT_WITHOUT_CYCLE'],
        ['coupons[1]', 'COUPON_UNKNOWN'],
      ],
    });
  });

  it.each([
    [null],
    ['text'],
    [[]],
    [{ data: null }],
    [{ items: 'none', coupons: {} }],
    [{ items: [null, 3] }],
  ])('refuses the body %j without a failure of its own', async (body) => {
    for (const path of [
      'transparents/create',
      'customers/create',
      'checkouts/create',
      'subscriptions/create',
    ]) {
      const { status, json } = await app.api.post(`/v2/${path}`, body as object);
      expect([path, status, json.code]).toEqual([path, 400, 'VALIDATION_ERROR']);
    }
  });

  it('returns the same for a product of another environment as for a missing one', async () => {
    const { id } = await buildProduct(app.api);
    const stranger = await app.clientWith({ devMode: false });
    const body = { items: [{ id, quantity: 1 }], nothing: true };
    const { json } = await stranger.post('/v2/checkouts/create', body);
    expect((json as { issues?: readonly Shown[] }).issues).toEqual([
      expect.objectContaining({ path: 'nothing' }),
      expect.objectContaining({ path: 'items[0].id', rule: 'UNKNOWN_PRODUCT' }),
    ]);
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['{ "method": "PIX",\n  "data": { "amount": 2500, } }', 2, 29],
    ["{ 'method': 'PIX' }", 1, 3],
    ['{ "description": "não é", }', 1, 27],
    ['{ "method": "PIX"', 1, 18],
  ])('returns the line and column at which %j is wrong', async (body, line, column) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${app.api.key}` };
    const response = await fetch(`${app.api.url}/v2/transparents/create`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        data: null,
        success: false,
        error: `The body is not valid JSON at line ${line}, column ${column}`,
        code: 'MALFORMED_JSON',
        position: { line, column },
      },
    ]);
  });
});

describe('an unknown path', () => {
  it.each([
    ['GET', '/v2/custommers/list', '/v2/customers/list'],
    ['GET', '/customers/lists', '/v2/customers/list'],
    ['POST', '/v2/transparent/create', '/v2/transparents/create'],
    ['POST', '/v2/Customers', '/v2/customers/create'],
    ['GET', '/v2/customers', '/v2/customers/list'],
    ['GET', '/v2/customers/cust_01J9Z3VYK0W6F0S7R2M8QH4T5B', '/v2/customers/get'],
    ['POST', '/v1/billings/create', '/v1/billing/create'],
  ])('names the nearest one for %s %s', async (method, path, nearest) => {
    const response = await fetch(`${app.api.url}${path}`, { method });
    const { error } = (await response.json()) as { error: string };
    expect([response.status, error]).toEqual([
      404,
      `There is nothing at this path; did you mean ${nearest}?`,
    ]);
  });

  it.each([
    ['another resource', '/v2/entitlements/list'],
    ['another program', '/wp-login.php'],
    ['450 characters', `/v2/${'customers'.repeat(50)}`],
  ])('returns no suggestion for a path that resembles none: %s', async (_what, path) => {
    const response = await fetch(`${app.api.url}${path}`);
    expect(await response.json()).toMatchObject({ error: 'There is nothing at this path' });
  });
});
