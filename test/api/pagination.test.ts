import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiAnswer } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { buildPaymentLink } from '../support/rows/checkouts.ts';

const START_MS = Date.parse('2026-03-06T12:00:00.000Z');

let app: TestApp;
/** Ids, newest first. Every two share a millisecond, so that their ids decide. */
const expected: string[] = [];

beforeAll(async () => {
  app = await createTestApp();
  const made: { id: string; createdAt: Date }[] = [];
  for (let index = 0; index < 7; index++) made.push(await insert(Math.floor(index / 2)));
  made.sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  );
  expected.push(...made.map(({ id }) => id));
});
afterAll(() => app.close());

function insert(atMs: number, storeId = app.storeId) {
  return insertWebhook(app.database, { storeId, createdAt: new Date(START_MS + atMs) });
}

/** A cursor of the list of webhooks. */
const cursorOf = (position: string) => Buffer.from(`/webhooks/list ${position}`).toString('base64url');
const page = (query: string) => app.api.get(`/v2/webhooks/list?${query}`);
const ids = (answer: ApiAnswer) => (answer.json.data as { id: string }[]).map(({ id }) => id);

describe('a list', () => {
  it('lists objects newest first and reports no further page', async () => {
    const all = await page('');
    expect(ids(all)).toEqual(expected);
    expect(all.json.pagination).toEqual({ hasMore: false, next: null, before: null });
  });

  it('pages in both directions without gaps or repeats', async () => {
    const first = await page('limit=3');
    expect(ids(first)).toEqual(expected.slice(0, 3));
    expect(first.json.pagination).toMatchObject({ hasMore: true, before: null });

    const second = await page(`limit=3&after=${first.json.pagination?.next}`);
    expect(ids(second)).toEqual(expected.slice(3, 6));

    const third = await page(`limit=3&after=${second.json.pagination?.next}`);
    expect(ids(third)).toEqual(expected.slice(6));
    expect(third.json.pagination).toMatchObject({ hasMore: false, next: null });

    const back = await page(`limit=3&before=${third.json.pagination?.before}`);
    expect(ids(back)).toEqual(expected.slice(3, 6));
    expect(back.json.pagination?.next).toEqual(second.json.pagination?.next);

    const start = await page(`limit=3&before=${back.json.pagination?.before}`);
    expect(ids(start)).toEqual(expected.slice(0, 3));
    expect(start.json.pagination).toMatchObject({ hasMore: true, before: null });
  });

  it('does not shift under a client that pages while objects are created', async () => {
    const first = await page('limit=2');
    const newcomer = await insert(1_000);
    const second = await page(`limit=2&after=${first.json.pagination?.next}`);
    expect(ids(second)).toEqual(expected.slice(2, 4));
    expect(ids(await page('limit=1'))).toEqual([newcomer.id]);
    expected.unshift(newcomer.id);
  });

  it('returns an empty page after the last object', async () => {
    const cursor = cursorOf(`1.webh_0`);
    const answer = await page(`after=${cursor}`);
    expect(answer.json).toMatchObject({ data: [], pagination: { hasMore: false, next: null, before: null } });
  });
});

describe('a cursor is refused with 400', () => {
  it.each([
    ['is not one', 'after=nonsense'],
    ['is empty', 'after='],
    ['holds SQL', `after=${cursorOf("1.webh_1' or true --")}`],
    ['holds a date that no calendar has', `before=${cursorOf('999999999999999.webh_1')}`],
    ['is padded', `after=${cursorOf('12.webh_1')}==`],
    ['names no list', `after=${Buffer.from('12.webh_1').toString('base64url')}`],
  ])('refuses a cursor that %s', async (_, query) => {
    expect(await page(query)).toMatchObject({ status: 400, json: { code: 'INVALID_CURSOR' } });
  });

  it('refuses a cursor of another list, even of the same kind of object', async () => {
    const links = '/v2/payment-links/list?limit=1';
    for (let index = 0; index < 2; index += 1) await buildPaymentLink(app.api);
    const cursor = (await app.api.get(links)).json.pagination?.next;
    expect((await app.api.get(`${links}&after=${cursor}`)).status).toBe(200);
    for (const path of ['/v2/checkouts/list', '/v2/webhooks/list', '/v1/billing/list']) {
      const answer = await app.api.get(`${path}?after=${cursor}`);
      expect([answer.status, answer.json.code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  it('refuses after together with before', async () => {
    const cursor = (await page('limit=1')).json.pagination?.next;
    expect(await page(`after=${cursor}&before=${cursor}`)).toMatchObject({
      status: 400,
      json: { code: 'INVALID_CURSOR' },
    });
  });
});
