import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let storeId: StoreId;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createTestApp();
  ({ id: storeId } = await createTestStore(app.database));
  await insertProduct({ database: app.database, storeId });
  owner = await signedIn({ url: app.api.url, database: app.database }, storeId, 'owner', 'ana@example.com');
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
const counted = () => app.database.em.fork().count(AuditLineEntity, { storeId, action: 'exports/download' });
const opened = (path: string, site: string) =>
  owner.get(at(path), { 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': 'document', 'Accept-Language': 'en' });

describe.each([
  '/exports/file?sheet=products',
  '/products?format=csv',
  '/products?format=people',
  '/audit.csv',
])('a link to %s', (path) => {
  it.each(['cross-site', 'same-site'])('asks first if it is %s, and counts no download', async (site) => {
    const before = await counted();
    const page = await opened(path, site);
    expect(page.status).toBe(403);
    expect(page.headers.get('content-disposition')).toBeNull();
    expect(page.text).toContain('Download this file?');
    expect(page.html).toContain(`href="${at(path)}"`);
    expect(await counted()).toBe(before);
  });

  it.each(['same-origin', 'none'])('downloads if it is %s', async (site) => {
    const before = await counted();
    const file = await opened(path, site);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(await counted()).toBe(before + 1);
  });
});

it('shows pages to links of other sites', async () => {
  expect((await opened('/products', 'cross-site')).status).toBe(200);
});
