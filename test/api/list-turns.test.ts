import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { API_ROUTES } from '../../src/app.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it("reads four lists of a store at a time, and other stores' beside them", async () => {
  const { id } = await createTestStore(app.database);
  const [own, other] = [await app.clientWith({}), await app.clientWith({ storeId: id })];
  const list = API_ROUTES.find(({ path }) => path === '/customers/list');
  if (list === undefined) throw new Error('customers have a list');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const read = list.handler;
  const begun: string[] = [];
  jest.spyOn(list, 'handler').mockImplementation(async (request, prepared) => {
    begun.push(request.key.storeId);
    await gate;
    return read(request, prepared);
  });
  const asked = [...Array(8)].map(() => own.get('/v2/customers/list'));
  await eventually(async () => expect(begun).toHaveLength(4));
  const beside = other.get('/v2/customers/list');
  await eventually(async () => expect(begun).toHaveLength(5));
  expect(begun.at(-1)).toBe(id);
  open();
  for (const { status } of await Promise.all([...asked, beside])) expect(status).toBe(200);
  expect(begun).toHaveLength(9);
});
