import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiKeyEntity } from '../../../src/database/entities/api-key.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import {
  type DashboardUser,
  givePassword,
  PASSWORD,
  signedIn,
} from '../../support/dashboard/dashboard-user.ts';

let app: TestApp;
let owner: DashboardUser;
let developer: DashboardUser;
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  const fixture = { url: app.api.url, database: app.database };
  owner = await signedIn(fixture, app.storeId, 'owner');
  developer = await signedIn(fixture, app.storeId, 'developer');
  await givePassword(app.database);
});
afterAll(() => app.close());

const at = (path: string, environment = 'dev') => `/dashboard/${app.storeId}/${environment}${path}`;
const create = (user: DashboardUser, environment: string, fields: Record<string, string>) =>
  user.submit(at('/keys/new-public', environment), at('/keys/new-public', environment), fields);
const publicKeys = (devMode: boolean) =>
  app.database.em.fork().find(ApiKeyEntity, { devMode, publicText: { $ne: null } });

it('creates a public key, whose page shows it again and says what it may do', async () => {
  const made = await create(developer, 'dev', { description: 'Campos da loja' });
  expect(made.status).toBe(303);
  const [key] = await publicKeys(true);
  expect(key).toMatchObject({ permissions: [], publicText: expect.stringMatching(/^pk_dev_/) });
  const page = await developer.get(made.location ?? '');
  expect(page.text).toContain(key?.publicText);
  expect(page.text).toContain('só pode trocar o cartão');
  expect(page.text).not.toContain('Limites da chave');
  expect((await developer.get(at('/keys'))).text).toContain('Pública: só troca cartões por tokens');
});

it('rotates and revokes a public key like any other', async () => {
  const { location = '' } = await create(owner, 'dev', { description: 'Troca' });
  const own = location ?? '';
  const rotated = await owner.submit(`${own}/rotate`, `${own}/rotate`, { overlap: '0' });
  expect(rotated.text).toMatch(/pk_dev_/);
  const made = await create(owner, 'dev', { description: 'Fim' });
  const path = `${made.location}/revoke`;
  expect(await owner.submit(path, path)).toMatchObject({ status: 303 });
  const [ended] = await app.database.em.fork().find(ApiKeyEntity, { description: 'Fim' });
  expect(ended?.revokedAt).not.toBeNull();
});

it('asks the owner for the password in production, and refuses others', async () => {
  expect(await create(owner, 'prod', { description: 'Loja', password: 'wrong' })).toMatchObject({
    status: 422,
  });
  expect(await create(owner, 'prod', { description: '', password: PASSWORD })).toMatchObject({ status: 422 });
  expect(await publicKeys(false)).toEqual([]);
  expect(await create(owner, 'prod', { description: 'Loja', password: PASSWORD })).toMatchObject({
    status: 303,
  });
  expect((await developer.get(at('/keys/new-public', 'prod'))).status).toBe(403);
});
