import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../../src/domain/ids.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { credit } from '../../support/rows/credit.ts';
import { createTestDatabase, type TestDatabase } from '../../support/rows/database.ts';
import { testAccounts } from '../../support/rows/two-accounts.ts';

let db: TestDatabase;
let app: TestApp;
let storeId: StoreId;
let paidAt: string;
let sendsFrom: string;
let owner: DashboardUser;
beforeAll(async () => {
  db = await createTestDatabase();
  const accounts = testAccounts(db.database);
  app = await createTestApp({ providers: accounts.providers }, { database: db.database });
  ({ storeId, paidAt, sendsFrom } = await accounts.shop());
  for (const [provider, cents] of [
    [paidAt, 100_000],
    [sendsFrom, 5_000],
  ] as const)
    await credit(db.database, { storeId, devMode: false, provider }, cents);
  await credit(db.database, { storeId, devMode: true }, 777);
  owner = await signedIn({ url: app.api.url, database: db.database }, storeId, 'owner');
});
afterAll(async () => {
  await app.close();
  await db.drop();
});

const page = async (path: string, environment = 'prod') =>
  (await owner.get(`/dashboard/${storeId}/${environment}${path}`, { 'Accept-Language': 'en' })).text;

describe('the dashboard', () => {
  it("shows the store's available money and the balance at each account", async () => {
    const text = await page('/balance');
    expect(text).toContain('Available: R$ 1.050,00');
    expect(text).toMatch(new RegExp(`north \\(${paidAt}\\)\\s+R\\$ 1.000,00\\s+R\\$ 1.000,00\\s+Pix`));
    expect(text).toMatch(new RegExp(`north \\(${sendsFrom}\\)\\s+R\\$ 50,00\\s+R\\$ 50,00\\s+Payouts`));
  });

  it('shows the sandbox in dev mode', async () => {
    expect(await page('/balance', 'dev')).toMatch(
      /sandbox\s+R\$ 7,77\s+R\$ 7,77\s+Pix, Card, Boleto, Payouts/,
    );
  });

  it('says on the form of a payout what lies at the account that sends it', async () => {
    expect(await page('/new-payout')).toContain(
      'Available: R$ 1.050,00; in the account that sends payouts: R$ 50,00',
    );
    expect(await page('/new-payout', 'dev')).toMatch(/Available: R\$ 7,77\s/);
  });
});
