import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../../src/domain/ids.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
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
    const text = await page('/balance', 'dev');
    expect(text).toMatch(/Sandbox bank\s+R\$ 7,77\s+R\$ 7,77\s+Pix, Card, Boleto, Payouts/);
  });

  it('says where a store without an account in production adds one', async () => {
    const { id } = await createTestStore(db.database);
    const other = await signedIn({ url: app.api.url, database: db.database }, id, 'owner');
    const { html } = await other.get(`/dashboard/${id}/prod/balance`, { 'Accept-Language': 'en' });
    expect(html).toMatch(
      /no account in production yet\. <a href="[^"]*\/prod\/accounts\/new">Add an account</,
    );
    expect(html).not.toContain('The amounts that Recebe has recorded');
  });

  it('shows one part of the balance at a time, with sums of its lines', async () => {
    const text = await page('/balance', 'dev');
    expect(text).toContain('Available R$ 7,77');
    expect(text).toMatch(/1 line · in\s+R\$ 7,77\s+· out\s+R\$ 0,00/);
    expect(await page('/balance?account=PENDING', 'dev')).toContain('Payments that have not settled yet');
    expect(await page('/balance?account=NONE', 'dev')).toContain('What can be sent now.');
  });

  it('links a payout to its lines in the statement, and back', async () => {
    const id = 'tran_01M8A2JP5WVAWG3N5ZTR6MKETX';
    await db.database.em.fork().execute(
      `insert into payouts (id, store_id, dev_mode, kind, status, provider, amount_cents, platform_fee_cents, returned_cents,
         external_id, content_hash, created_at, updated_at)
       values (?, ?, true, 'PAYOUT', 'PENDING', 'sandbox', 350, 80, 0, 'repasse-1', '', now(), now())`,
      [id, storeId],
    );
    await db.database.em.fork().execute(
      `insert into ledger_movements (subject_id, kind, store_id, dev_mode, clearing_cents, pending_cents, available_cents,
         blocked_cents, outgoing_cents, platform_fees_cents, created_at)
       values (?, 'PAYOUT_RESERVED', ?, true, 0, 0, -430, 0, 350, 80, now())`,
      [id, storeId],
    );
    const get = (path: string) => owner.get(`/dashboard/${storeId}/dev${path}`, { 'Accept-Language': 'en' });
    expect((await get('/balance')).html).toContain(`/payouts/${id}"`);
    expect((await get('/payouts')).html).toContain(`/payouts/${id}"`);
    const shown = await get(`/payouts/${id}`);
    expect(shown.text).toContain('Payout of R$ 3,50');
    expect(shown.text).toContain('-R$ 4,30');
    expect(shown.html).toContain('account=AVAILABLE&amp;kind=PAYOUT_RESERVED');
    expect((await get('/payouts/tran_01M8A2JP5WVAWG3N5ZTR6MKETY')).status).toBe(404);
  });

  it('says on the form of a payout what lies at the account that sends it', async () => {
    expect(await page('/new-payout')).toContain(
      'Available: R$ 1.050,00; in the account that sends payouts: R$ 50,00',
    );
    expect(await page('/new-payout', 'dev')).toMatch(/Available: R\$ 3,47\s/);
  });

  it('shows an owner without a password how to get one', async () => {
    await db.database.em
      .fork()
      .execute(
        'update users set password_hash = null where id = (select user_id from memberships where store_id = ? limit 1)',
        [storeId],
      );
    for (const path of ['/new-payout', '/new-transfer', '/controls', '/team', '/account/second-factor'])
      expect([path, await page(path, 'dev')]).toEqual([
        path,
        expect.stringMatching(/you have none yet\. Choose a password(?!.*password, again)/),
      ]);
    expect(await page('/account', 'dev')).toMatch(/New password .*Choose a password/);
    expect(await page('/account', 'dev')).not.toContain('Change the password');
    await db.database.em.fork().execute(`update sessions set created_at = now() - interval '1 hour'`);
    for (const path of ['/new-payout', '/new-transfer']) {
      expect(await page(path, 'dev')).toContain('npx recebe users sign-in-link --email');
      expect(await page(path, 'dev')).not.toContain('Send the money');
    }
  });
});
