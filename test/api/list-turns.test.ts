import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../src/api/frame/errors.ts';
import { ThreadShares } from '../../src/api/limits/thread-shares.ts';
import { API_ROUTES } from '../../src/app.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { hold, untilWaiting } from '../support/waiting/hold.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it.each([
  ['four lists', '/customers/list', 4, 200],
  ['one PDF', '/invoices/pdf?id=invc_x', 1, 404],
  ['four changes with a line in the audit log', '/coupons/delete', 4, 404],
])("serves %s of a store at a time, and other stores' beside them", async (_, path, atOnce, answer) => {
  const { id } = await createTestStore(app.database);
  const [own, other] = [await app.clientWith({}), await app.clientWith({ storeId: id })];
  const route = API_ROUTES.find(({ path: at }) => at === path.split('?')[0]);
  if (route === undefined) throw new Error('the path is a route');
  const ask = (api: ApiClient) =>
    route.method === 'GET' ? api.get(`/v2${path}`) : api.post(`/v2${path}`, { id: 'NONE' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { handler } = route;
  const begun: string[] = [];
  jest.spyOn(route, 'handler').mockImplementation(async (request, prepared) => {
    begun.push(request.key.storeId);
    await gate;
    return handler(request, prepared);
  });
  const asked = [...Array(8)].map(() => ask(own));
  await eventually(async () => expect(begun).toHaveLength(atOnce));
  const beside = ask(other);
  await eventually(async () => expect(begun).toHaveLength(atOnce + 1));
  expect(begun.at(-1)).toBe(id);
  open();
  for (const { status } of await Promise.all([...asked, beside])) expect(status).toBe(answer);
  expect(begun).toHaveLength(9);
});

it('lets a CSV file wait for lists until its query is read', async () => {
  const { id } = await createTestStore(app.database);
  const [own, other] = [await app.clientWith({}), await app.clientWith({ storeId: id })];
  const route = API_ROUTES.find(({ path }) => path === '/products/list');
  if (route === undefined) throw new Error('the path is a route');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { handler } = route;
  let begun = 0;
  jest.spyOn(route, 'handler').mockImplementation(async (request, prepared) => {
    begun += 1;
    await gate;
    return handler(request, prepared);
  });
  const lists = [...Array(4)].map(() => own.get('/v2/products/list'));
  await eventually(async () => expect(begun).toBe(4));
  const answers: string[] = [];
  const askWrongly = async (name: string, api: ApiClient) => {
    const { status } = await api.get('/v2/payments/list?wrong=1', { headers: { Accept: 'text/csv' } });
    answers.push(`${name} ${status}`);
  };
  const asked = askWrongly('own', own);
  for (let times = 0; times < 3; times += 1) await askWrongly('other', other);
  open();
  await Promise.all([asked, ...lists]);
  jest.restoreAllMocks();
  expect(answers).toEqual(['other 400', 'other 400', 'other 400', 'own 400']);
});

it('runs requests one at a time after an expensive one while others are busy', async () => {
  const beside = await createTestApp({
    busy: {
      note: () => undefined,
      noteRead: () => undefined,
      othersThan: () => true,
      readersOtherThan: () => true,
      any: () => true,
    },
  });
  const route = API_ROUTES.find(({ path }) => path === '/coupons/get');
  if (route === undefined) throw new Error('the path is a route');
  let nowMs = 1_000;
  // Debts do not shrink meanwhile.
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let [running, mostRunning, tookMs] = [0, 0, 1];
  const { promise: four, resolve: areFour } = Promise.withResolvers<void>();
  jest.spyOn(route, 'handler').mockImplementation(async () => {
    running += 1;
    mostRunning = Math.max(mostRunning, running);
    if (running === 4) areFour();
    await (tookMs === 1 ? four : beside.database.em.fork().execute('select 1'));
    running -= 1;
    nowMs += tookMs;
    throw new ApiError(404, 'NOT_FOUND', 'not there');
  });
  const ask = () => beside.api.get('/v2/coupons/get?id=NONE');
  try {
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(mostRunning).toBe(4);
    tookMs = 60;
    await ask();
    [mostRunning, tookMs] = [0, 2];
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(mostRunning).toBe(1);
  } finally {
    jest.restoreAllMocks();
    await beside.close();
  }
});

it('logs how long a request waited for Postgres', async () => {
  await using lock = await hold(app.database, 'lock table coupons');
  const answer = app.api.get('/v2/coupons/get?id=NONE');
  await untilWaiting(app.database, 1);
  await lock.release();
  await answer;
  const line = app.logged.findLast(({ route }) => route === '/coupons/get');
  expect(line?.postgresMs).toBeGreaterThan(0);
});

it.each([
  [15_000, 0],
  [17_000, 1],
])('checks the body of a refund in its turn if it is large: %d bytes', async (bytes, turns) => {
  const beginInTurn = jest.spyOn(ThreadShares.prototype, 'beginInTurn');
  const wrong = { id: 'NONE', [`x${'y'.repeat(bytes)}`]: 1 };
  expect((await app.api.post('/v2/transparents/refund', wrong)).status).toBe(400);
  expect(beginInTurn).toHaveBeenCalledTimes(turns);
  jest.restoreAllMocks();
});
