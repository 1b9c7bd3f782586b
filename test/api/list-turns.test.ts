import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { API_ROUTES } from '../../src/app.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it.each([
  ['four lists', '/customers/list', 4, 200],
  ['one PDF', '/invoices/pdf', 1, 404],
])("reads %s of a store at a time, and other stores' beside them", async (_, path, atOnce, answer) => {
  const { id } = await createTestStore(app.database);
  const [own, other] = [await app.clientWith({}), await app.clientWith({ storeId: id })];
  const list = API_ROUTES.find((route) => route.path === path);
  if (list === undefined) throw new Error('the path is a route');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const query = path === '/invoices/pdf' ? 'id=invc_x' : '';
  const read = list.handler;
  const begun: string[] = [];
  jest.spyOn(list, 'handler').mockImplementation(async (request, prepared) => {
    begun.push(request.key.storeId);
    await gate;
    return read(request, prepared);
  });
  const asked = [...Array(8)].map(() => own.get(`/v2${path}?${query}`));
  await eventually(async () => expect(begun).toHaveLength(atOnce));
  const beside = other.get(`/v2${path}?${query}`);
  await eventually(async () => expect(begun).toHaveLength(atOnce + 1));
  expect(begun.at(-1)).toBe(id);
  open();
  for (const { status } of await Promise.all([...asked, beside])) expect(status).toBe(answer);
  expect(begun).toHaveLength(9);
});
