import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { csvLine } from '../../src/api/frame/csv.ts';
import { FairSlots } from '../../src/api/limits/fair-slots.ts';
import { API_ROUTES } from '../../src/app.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { fill } from '../support/rows/fill.ts';
import { eventually } from '../support/waiting/eventually.ts';

const CSV = { headers: { Accept: 'text/csv' } };

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const store = async () => {
  const { id: storeId } = await createTestStore(app.database);
  return { storeId, api: await app.clientWith({ storeId }) };
};

/** Fields of RFC 4180 by the names of their columns. */
function parsed(text: string): Record<string, string>[] {
  const lines: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}
const rowsOf = async (api: ApiClient, path = '/v2/payments/list') => parsed((await api.get(path, CSV)).text);

describe('a list as CSV', () => {
  it('returns CSV with a header row in UTF-8 when Accept asks for it', async () => {
    const { api } = await store();
    const { id } = await buildPixCharge(api, {
      description: 'Ação, "nº 1"\nSão João',
      externalId: 'order-1',
    });
    const answer = await api.get('/v2/payments/list', CSV);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"');
    expect(answer.headers.get('link')).toBeNull();
    expect(answer.text).toMatch(/^id,kind,method,status,amount,/);
    expect(parsed(answer.text)).toMatchObject([
      { id, kind: 'TRANSPARENT', amount: '2500', paidAmount: '', description: 'Ação, "nº 1"\nSão João' },
    ]);
  });

  it('returns JSON to other Accept headers and filters CSV as it does JSON', async () => {
    const { api } = await store();
    await buildPixCharge(api);
    for (const Accept of ['*/*', 'application/json', 'text/html, application/xhtml+xml, */*;q=0.8'])
      expect((await api.get('/v2/payments/list', { headers: { Accept } })).json.data).toHaveLength(1);
    expect(await rowsOf(api, '/v2/payments/list?status=PENDING')).toHaveLength(1);
    expect(await rowsOf(api, '/v2/payments/list?status=PAID')).toHaveLength(0);
    expect(await api.get('/v2/payments/list?status=NONE', CSV)).toMatchObject({
      status: 400,
      json: { code: 'VALIDATION_ERROR' },
    });
    expect(await api.get('/v2/balance/movements?before=x', CSV)).toMatchObject({ status: 400 });
  });

  it.each([
    ['=HYPERLINK("http://evil.example")', `'=HYPERLINK("http://evil.example")`],
    ['+1+1', "'+1+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1+1', "'  =1+1"],
    ['\t=1+1', "'\t'=1+1"],
    ['fim;=1+1', "fim;'=1+1"],
    ['fim\r\n=1+1', "fim\r\n'=1+1"],
    ['fim; \t =1+1', "fim; \t '=1+1"],
    ['fim  =1+1', 'fim  =1+1'],
    ['＝1+1', "'＝1+1"],
    ['a-b+c=d@e', 'a-b+c=d@e'],
  ])('shows %j as a text, and as no formula', async (description, shown) => {
    const { api } = await store();
    await buildPixCharge(api, { description });
    expect(await rowsOf(api)).toMatchObject([{ description: shown }]);
  });

  it('writes a text of many tabs in the time of any other', () => {
    const text = `a${'\t'.repeat(16_000)}b`;
    const before = process.cpuUsage();
    expect(csvLine([text])).toBe(`"${text}"\r\n`);
    // Quadratic work takes seconds, linear work less than a millisecond.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  it('returns up to ten thousand rows and links to the next ones', async () => {
    const { storeId, api } = await store();
    await fill(app.database, [{ storeId, charges: 10_300 }]);
    for (const list of ['payments/list', 'balance/movements']) {
      const wanted = (await rowsIn(storeId, list)) as number;
      const first = await api.get(`/v2/${list}?limit=7`, CSV);
      const ids = parsed(first.text).map(({ id }) => id);
      const next = first.headers.get('link')?.match(/^<(.+)>; rel="next"$/)?.[1];
      expect(ids).toHaveLength(Math.min(wanted, 10_000));
      expect(next === undefined).toBe(wanted <= 10_000);
      if (next !== undefined) {
        const second = await api.get(next.slice(api.url.length), CSV);
        ids.push(...parsed(second.text).map(({ id }) => id));
        expect(second.headers.get('link')).toBeNull();
      }
      expect(new Set(ids).size).toBe(wanted);
    }
  });

  it('writes negative amounts as numbers', async () => {
    const { storeId, api } = await store();
    const at = new Date();
    await app.database.em.fork().execute(
      `insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
         blocked_cents, outgoing_cents, platform_fees_cents, created_at)
       values ('tran_csv', 'PAYOUT_RESERVED', ?, true, 0, 0, -350, 0, 350, 0, ?)`,
      [storeId, at],
    );
    expect(await rowsOf(api, '/v2/balance/movements')).toMatchObject([
      { amount: '-350', balanceAfter: '-350', kind: 'PAYOUT_RESERVED', createdAt: at.toISOString() },
    ]);
  });

  it('documents every CSV response in the API reference', async () => {
    const { json } = await app.api.get('/openapi.json', { key: null });
    const { paths } = json as unknown as { paths: Record<string, never> };
    const described = API_ROUTES.filter(({ csv }) => csv !== null).map(({ path }) => path);
    expect(described).toEqual(['/payments/list', '/balance/movements']);
    for (const path of described)
      expect(paths).toHaveProperty([
        `/v2${path}`,
        'get',
        'responses',
        '200',
        'content',
        'text/csv',
        'example',
      ]);
  });
});

it('makes one file per store at a time without delaying other stores', async () => {
  const slots = new FairSlots({ count: 2, perOwner: () => 1, waitMs: null });
  const startedFiles: string[] = [];
  const release: (() => void)[] = [];
  const file = (owner: string) =>
    slots.run(owner, async () => {
      startedFiles.push(owner);
      await new Promise<void>((resolve) => release.push(resolve));
    });
  const made = [file('large'), file('large'), file('large'), file('small'), file('other')];
  await eventually(async () => expect(startedFiles).toEqual(['large', 'small']));
  release.shift()?.();
  await eventually(async () => expect(startedFiles).toEqual(['large', 'small', 'other']));
  for (let ended = 1; ended < made.length; ended += 1)
    await eventually(async () => {
      const end = release.shift();
      if (end === undefined) throw new Error('the next file has not started');
      end();
    });
  await Promise.all(made);
  expect(startedFiles).toHaveLength(5);
});

it('makes no file for a client that has left while it waited', async () => {
  const { api } = await store();
  const list = API_ROUTES.find(({ path }) => path === '/payments/list');
  if (list === undefined) throw new Error('payments have a list');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const read = list.handler;
  const handler = jest.spyOn(list, 'handler').mockImplementation(async (request, prepared) => {
    await gate;
    return read(request, prepared);
  });
  // Each request asks twice: until its query is read, and for its file.
  const asked = jest.spyOn(FairSlots.prototype, 'run');
  const first = api.get('/v2/payments/list', CSV);
  await eventually(async () => expect(handler).toHaveBeenCalledTimes(1));
  const leaving = get(`${api.url}/v2/payments/list`, {
    headers: { ...CSV.headers, Authorization: `Bearer ${api.key}` },
  });
  leaving.on('error', () => undefined);
  await eventually(async () => expect(asked).toHaveBeenCalledTimes(4));
  leaving.destroy();
  const last = api.get('/v2/payments/list', CSV);
  await eventually(async () => expect(asked).toHaveBeenCalledTimes(6));
  open();
  for (const { status } of [await first, await last]) expect(status).toBe(200);
  expect(handler).toHaveBeenCalledTimes(2);
});

async function rowsIn(storeId: string, list: string) {
  const table = list === 'payments/list' ? 'charges' : 'statement_entries';
  const [row] = await app.database.em
    .fork()
    .execute<{ count: number }[]>(`select count(*)::int as count from ${table} where store_id = ?`, [
      storeId,
    ]);
  return row?.count;
}
