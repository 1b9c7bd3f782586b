import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AuditDetails, recordAction } from '../../../src/audit-log/record-action.ts';
import { NOTICED_ACTIONS } from '../../../src/domain/notice.ts';
import { ACTION_WORDS } from '../../../src/web/dashboard/audit/action-words.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let owner: DashboardUser;
let home: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  home = `/dashboard/${app.storeId}`;
});
afterAll(() => app.close());

it('names every action that owners are notified of in words', () => {
  expect(Object.keys(NOTICED_ACTIONS).filter((action) => !(action in ACTION_WORDS))).toEqual([]);
});

it("says what was done, and links to the object in the line's environment", async () => {
  await record('webhooks/delete', 'webh_00000000000000000000000000', false);
  const { html, text } = await owner.get(`${home}/dev/audit?lang=en`);
  expect(text).toContain('deleted a webhook');
  expect(html).toContain(`href="${home}/prod/webhooks/webh_00000000000000000000000000"`);
});

it('shows an action without words by its name, and an object without page as text', async () => {
  await record('future/action', 'acct_1', true);
  const { html } = await owner.get(`${home}/dev/audit?action=future/action`);
  expect(html).toContain('<code>acct_1</code>');
  expect(html).toMatch(/<option value="future\/action" selected>/);
});

it.each([
  ['products/create', 'prod_', '/products/'],
  ['payouts/approve', 'tran_', '/payouts/'],
  ['pix/send', 'tran_', '/payouts/'],
  ['attention/resolve', 'tran_', null],
  ['future/invoice', 'invc_', '/invoices/'],
  ['sub-accounts/update', 'sacc_', '/sub-accounts/'],
  ['accounts/rotate', 'pacc_', '/accounts/'],
])('links a line of %s about %s… to the page %s', async (action, prefix, path) => {
  const id = `${prefix}00000000000000000000000000`;
  await record(action, id, true);
  const { html } = await owner.get(`${home}/dev/audit?action=${action}`);
  expect(html.includes(`href="${home}/dev${path}${id}"`)).toBe(path !== null);
  expect(html).toContain(id);
});

it('names the store and calls a session by what it is, above their ids', async () => {
  const session = 'sess_00000000000000000000000000';
  await record('future/session', session, true);
  await record('future/store', app.storeId, true);
  const { html } = await owner.get(`${home}/dev/audit?action=future/session&lang=en`);
  expect(html).toContain(`Session<br><code class="code-of">${session}</code>`);
  const ofStore = await owner.get(`${home}/dev/audit?action=future/store&lang=en`);
  expect(ofStore.html).toContain(`Loja Teste<br><code class="code-of">${app.storeId}</code>`);
});

it('names the downloaded sheet and the days of its period', async () => {
  const details = { sheet: 'paid', from: '2026-11-01', to: '2026-11-30' };
  await record('exports/download', 'store_1', true, details);
  const { text } = await owner.get(`${home}/dev/audit?action=exports/download&lang=en`);
  expect(text).toContain('Sheet: Payments received · From: 1 Nov 2026 · To: 30 Nov 2026');
  await record('exports/download', 'store_1', true, { sheet: 'customers', from: null, to: null });
  const both = (await owner.get(`${home}/dev/audit?action=exports/download&lang=en`)).text;
  expect(both).toMatch(/Sheet: Customers (?!.*From: –)/);
});

it('shows details in words, amounts in reais and unknown details as they are', async () => {
  const details = {
    ...{ role: 'finance', amount: 250_050, maxDayCents: null, readOnly: true, fields: ['name', 'city'] },
    ...{ expiresAt: '2026-10-31T15:00:00.000Z', method: 'CARD', outcome: 'UNKNOWN', future: 7 },
  } as const;
  await record('future/details', 'acct_1', true, details);
  const { text } = await owner.get(`${home}/dev/audit?action=future/details&lang=en`);
  expect(text).toContain(
    'Role: finance · Amount: R$ 2.500,50 · Most in one day: – · Read only: Yes · Changed: Name, City · ' +
      'Expires: 31 Oct 2026, 12:00 · Method: Card · Outcome: unknown · future: 7',
  );
});

it('names the objects of details, links to them, and shows an unknown one by its id', async () => {
  const shop = { database: app.database, storeId: app.storeId };
  const { id } = await insertProduct(shop, { name: 'Plano <Pro>' });
  const gone = 'prod_00000000000000000000000000';
  await record('future/plans', 'acct_1', true, { productId: id, offeredPlanIds: [id, gone], quantity: 2 });
  const { html, text } = await owner.get(`${home}/dev/audit?action=future/plans&lang=en`);
  expect(html).toContain(`Product: <a href="${home}/dev/products/${id}">Plano &lt;Pro&gt;</a>`);
  expect(text).toMatch(new RegExp(`Plano &lt;Pro&gt; , ${gone} · Quantity: 2`));
});

it('writes every instant as people do', async () => {
  await record('future/details', 'acct_1', true, { to: '2026-12-30T09:20:21.154Z' });
  const { text } = await owner.get(`${home}/dev/audit?action=future/details&lang=en`);
  expect(text).toContain('To: 30 Dec 2026, 06:20');
});

it('names the first values of a long list, and counts the others', async () => {
  await record('future/details', 'acct_1', true, { fields: ['a', 'b', 'c', 'd', 'e', 'f'] });
  const { text } = await owner.get(`${home}/dev/audit?action=future/details&lang=en`);
  expect(text).toContain('Changed: a, b, c, d and 2 more');
});

function record(action: string, subjectId: string, devMode: boolean, details?: AuditDetails): Promise<void> {
  const actor = { kind: 'CLI', operator: 'ana', storeId: app.storeId } as const;
  const em = app.database.em.fork();
  return em.transactional((each) =>
    recordAction(each, actor, { action, subjectId, devMode, now: new Date(), ...(details && { details }) }),
  );
}
