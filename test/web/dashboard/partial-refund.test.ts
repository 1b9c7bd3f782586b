import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildPaidCheckout, buildPaidPix } from '../../support/rows/payments.ts';

let app: MoneyApp;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createMoneyApp();
  owner = await signedIn(
    { url: app.api.url, database: app.database },
    app.storeId,
    'owner',
    'owner@example.com',
  );
});
afterAll(() => app.close());

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const badgesOf = (html: string) =>
  [...html.matchAll(/<span class="badge[^"]*">([^<]*)</g)].map(([, text]) => text);

/** Sends a part back by the form. @returns what the page says then, and its badges. */
async function refund(path: string, amount: string) {
  const sent = await owner.submit(path, `${path}/refund`, { amount, reason: '' });
  const page = await owner.get(`${sent.location}?lang=en`);
  return { text: page.text, badges: badgesOf(page.html) };
}

it('shows a half refund as partial, with the refunded and the kept amount', async () => {
  const id = await buildPaidPix(app.api);
  const path = at(`/payments/${id}`);
  expect(badgesOf((await owner.get(`${path}?lang=en`)).html)).toEqual(['Paid']);
  const half = await refund(path, '12,50');
  expect(half.text).toContain('R$ 12,50 was refunded to the payer. The store keeps R$ 12,50.');
  expect(half.badges).toEqual(['Partly refunded']);
  expect(badgesOf((await owner.get(`${at('/payments')}?lang=en`)).html)).toEqual(['Partly refunded']);
  for (const sheet of ['/payments?format=people', '/exports/file?sheet=paid'])
    expect((await owner.get(`${at(sheet)}&lang=en`)).html).toContain(',Partly refunded,');
  const rest = await refund(path, '');
  expect(rest.text).toContain('R$ 12,50 was refunded to the payer.');
  expect(rest.text).not.toContain('The store keeps');
  expect(rest.badges).toEqual(['Refunded']);
});

it('shows a partly refunded checkout as such, on its page and in the list', async () => {
  const { id: checkoutId, paymentId } = await buildPaidCheckout(app.api);
  await refund(at(`/payments/${paymentId}`), '1,00');
  for (const path of [`/checkouts/${checkoutId}`, '/checkouts'])
    expect(badgesOf((await owner.get(`${at(path)}?lang=en`)).html)).toEqual(['Partly refunded']);
});
