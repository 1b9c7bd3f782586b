import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { paymentFilter } from '../../../src/api/payments/filter.ts';
import { totalsOf } from '../../../src/api/payments/totals.ts';
import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { openTab, SCREENS } from '../../support/dashboard/tab.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let browser: Browser;
let owner: DashboardUser;
const ids: string[] = [];
beforeAll(async () => {
  [app, browser] = await Promise.all([
    createTestApp({ starter: { startSoon: () => undefined } }),
    launchBrowser(),
  ]);
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  for (const amount of [1_000, 2_000, 4_000]) {
    const body = { method: 'PIX', data: { amount, description: `Pedido ${amount}` } };
    ids.push(dataOf<{ id: string }>(await app.api.post('/v2/transparents/create', body)).id);
  }
  const paid = { status: 'PAID' as const, paidAt: new Date(), settlesAt: new Date() };
  const em = app.database.em.fork();
  await em.nativeUpdate(ChargeEntity, { id: ids[0] as never }, { ...paid, paidAmountCents: 1_000 });
  await em.nativeUpdate(
    ChargeEntity,
    { id: ids[1] as never },
    { ...paid, paidAmountCents: 2_000, reversedCents: 500, refundedCents: 500 },
  );
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const linksOf = (html: string) =>
  [...html.matchAll(/class="row__link" href="[^"]*\/([^"/]+)"/g)].map(([, id]) => id);

it('sums up all payments that match the filters', async () => {
  expect((await owner.get(at('/payments'))).text).toMatch(
    /3 pagamentos · R\$ 30,00 pagos · R\$ 5,00 devolvidos/,
  );
  expect((await owner.get(at('/payments?status=PENDING'))).text).toMatch(/1 pagamento · R\$ 0,00 pagos/);
});

it('reads a bounded number of payments for the sums, and says so', async () => {
  const caller = { storeId: app.storeId, devMode: true };
  const em = app.database.em.fork();
  const all = await paymentFilter(em, caller as never, {} as never);
  expect(await totalsOf(em, caller, all, 2)).toMatchObject({ count: 2, isCut: true });
  expect(await totalsOf(em, caller, all, 3)).toMatchObject({ count: 3, isCut: false });
});

it('turns a list around by the heading of its date, page by page', async () => {
  const newest = await owner.get(at('/payments'));
  expect(linksOf(newest.html)).toEqual([...ids].reverse());
  expect(newest.html).toContain(
    `aria-sort="descending"><a class="sort" href="${at('/payments?order=oldest')}"`,
  );
  const oldest = await owner.get(at('/payments?order=oldest'));
  expect(linksOf(oldest.html)).toEqual(ids);
  expect(oldest.html).toContain('aria-sort="ascending"');
});

it('lets the text of a row be selected and opens the row in this or a new tab', async () => {
  const { page, home } = await openTab(browser, app, 'owner', SCREENS[0]);
  await page.goto(`${home}/payments`);
  const text = page.getByText('Pedido 4000');
  const { x, y, width, height } = (await text.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + 1, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate('String(getSelection())')).toBe('Pedido 4000');
  expect(page.url()).toBe(`${home}/payments`);
  await page.getByRole('heading', { level: 1 }).click();
  const ways: Parameters<typeof text.click>[0][] = [{ button: 'middle' }, { modifiers: ['ControlOrMeta'] }];
  for (const how of ways) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), text.click(how)]);
    await tab.waitForURL(`${home}/payments/${ids[2]}`);
    await tab.close();
  }
  await text.click();
  await page.waitForURL(`${home}/payments/${ids[2]}`);
  await page.context().close();
});
