import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, TEST_CONFIG, type TestApp } from '../support/api/app.ts';

let usual: TestApp;
let compatible: TestApp;
beforeAll(async () => {
  usual = await createTestApp();
  const config = { ...TEST_CONFIG, errorCompatibility: true };
  compatible = await createTestApp({ config }, { database: usual.database });
});
afterAll(async () => {
  await compatible.close();
  await usual.close();
});

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  readonly headers: Headers;
}

/** Sends without the test client, which refuses answers that the API reference does not list. */
async function ask(
  { url, key }: Pick<ApiClient, 'url' | 'key'>,
  path: string,
  sent?: object,
): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}${path}`, {
    headers,
    ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
  });
  const json = (await response.json()) as Answer['json'];
  return { status: response.status, json, headers: response.headers };
}

type Request = (app: TestApp) => Promise<Answer>;

const withoutPermission =
  (path: string): Request =>
  async (app) =>
    ask(await app.clientWith({ permissions: ['STORE:READ'] }), path);
const refund =
  (id: string): Request =>
  ({ api }) =>
    ask(api, '/v2/transparents/refund', { id });
const refundOfUnpaid: Request = async (app) => {
  const body = { method: 'PIX', data: { amount: 500 } };
  const { id } = dataOf<{ id: string }>(await app.api.post('/v2/transparents/create', body));
  return await refund(id)(app);
};
const unknownCheckout =
  (path: string): Request =>
  ({ api }) =>
    ask(api, `${path}?id=bill_unknown`);

describe.each([
  [
    'a missing permission',
    withoutPermission('/v2/customers/list'),
    403,
    401,
    /^Insufficient permissions: .*CUSTOMER:READ/,
  ],
  [
    'two missing permissions',
    withoutPermission('/v2/balance/movements'),
    403,
    401,
    /^Insufficient permissions: .* and /,
  ],
  ['a refund of an unpaid charge', refundOfUnpaid, 422, 400, /^TRANSACTION_NOT_REFUNDABLE$/],
  ['a refund of an unknown charge', refund('pix_char_unknown'), 404, 400, /^TRANSACTION_NOT_FOUND$/],
  ['an unknown checkout', unknownCheckout('/v2/checkouts/get'), 404, 404, /^Billing not found$/],
  [
    'an unknown checkout of a subscription',
    unknownCheckout('/v2/subscriptions/checkouts/get'),
    404,
    404,
    /^Billing not found$/,
  ],
] as const)('%s', (_name, send, usualStatus, publishedStatus, error) => {
  it('answers as always by default', async () => {
    const { status, json } = await send(usual);
    expect(status).toBe(usualStatus);
    expect(json.error).not.toMatch(error);
    expect(json).not.toHaveProperty('message');
  });

  it('answers as published with the switch, and keeps code and text', async () => {
    const { status, json } = await send(compatible);
    const { json: before } = await send(usual);
    expect({ status, error: json.error }).toEqual({
      status: publishedStatus,
      error: expect.stringMatching(error),
    });
    expect(json).toMatchObject({ data: null, success: false, code: before.code, message: before.error });
  });
});

it('names a scheme with a 401, and keeps the envelope of v1', async () => {
  const { status, json, headers } = await withoutPermission('/v1/customer/list')(compatible);
  expect(status).toBe(401);
  expect(json).toEqual({
    data: null,
    error: expect.stringMatching(/^Insufficient permissions/),
    message: json.error,
    code: 'PERMISSION_DENIED',
  });
  expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
});

it('leaves the answer to an unknown key as it is', async () => {
  const [before, after] = await Promise.all(
    [usual, compatible].map(({ api }) => ask({ url: api.url, key: 'abc_dev_unknown' }, '/v2/customers/list')),
  );
  expect(before?.status).toBe(401);
  expect(after?.json).toEqual(before?.json);
});
