import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../../src/domain/portal-settings.ts';
import { openAttentionOf } from '../../../src/recovery/open-attention.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

let app: MoneyApp;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createMoneyApp();
  const { url } = app.api;
  owner = await signedIn({ url, database: app.database }, app.storeId, 'owner', 'owner@example.com');
});
afterAll(() => app.close());

const em = () => app.database.em.fork();
const paymentPage = (id: string) => `/dashboard/${app.storeId}/dev/payments/${id}`;
const requestsOf = async () =>
  (await openAttentionOf(em(), { storeId: app.storeId, devMode: true }, 100)).filter(
    ({ kind }) => kind === 'REFUND_REQUESTED',
  );

async function eventsOf(chargeId: string) {
  const events = dataOf<{ data: { payment: { id: string } } }[]>(
    await app.api.get('/v2/events/list?name=refund.requested'),
  );
  return events.map(({ data }) => data).filter(({ payment }) => payment.id === chargeId);
}

async function allow(asksForRefunds: boolean): Promise<void> {
  const settings = { ...DEFAULT_PORTAL_SETTINGS, asksForRefunds };
  const place = { storeId: app.storeId, devMode: true };
  await em().transactional((tx) => savePortalSettings(tx, place, settings, new Date()));
}

/** A customer who has paid R$ 25.00 by PIX and is signed in to the portal. */
async function buyer(email: string) {
  const customer = { name: 'Ana Souza', email };
  const data = { amount: 2_500, customer };
  const charge = dataOf<{ id: string }>(
    await app.api.post('/v2/transparents/create', { method: 'PIX', data }),
  );
  await app.api.post(`/v2/transparents/simulate-payment?id=${charge.id}`, {});
  const payment = dataOf<{ customerId: string }>(await app.api.get(`/v2/payments/get?id=${charge.id}`));
  const path = `/portal/${payment.customerId}`;
  const reader = new PortalReader(app);
  const home = await reader.signIn(path, email);
  return { id: charge.id, path, reader, home, form: `${path}/payments/${charge.id}/refund` };
}

type Buyer = Awaited<ReturnType<typeof buyer>>;

/** Opens the page of the request. @returns the fields of its form. */
async function openForm({ reader, form }: Buyer) {
  const { text } = await reader.get(form);
  const submission = /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { csrf: csrfOf(text), submission };
}

/** Opens the page of the request and presses its button. */
async function ask(asking: Buyer) {
  return asking.reader.post(asking.form, await openForm(asking));
}

it('shows a request on the dashboard until the store refunds the payment', async () => {
  await allow(true);
  const ana = await buyer('ana1@example.com');
  expect(ana.home.text).toContain('Ask for a refund');
  expect((await ana.reader.get(ana.form)).text).toContain('you want R$\u00a025,00 back');
  expect(await ask(ana)).toMatchObject({ status: 303, location: ana.path });
  expect((await ana.reader.get(ana.path)).text).toContain('The store has not answered yet.');
  expect(await requestsOf()).toMatchObject([{ subjectId: ana.id }]);
  expect(await eventsOf(ana.id)).toMatchObject([
    { refundRequest: { amount: 2_500 }, payment: { id: ana.id }, customer: { email: 'ana1@example.com' } },
  ]);
  const page = await owner.get(`${paymentPage(ana.id)}?lang=en`);
  expect(page.text).toContain('The customer asked for a refund:');
  await owner.submit(paymentPage(ana.id), `${paymentPage(ana.id)}/refund`, { amount: '', reason: '' });
  expect(await requestsOf()).toEqual([]);
  expect((await ana.reader.get(ana.path)).text).toContain('Refunded');
  const lines = await em().find(AuditLineEntity, { subjectId: ana.id, action: 'refunds/request' });
  expect(lines).toMatchObject([{ actorKind: 'PAYER' }]);
});

it('shows the payer that the store declined, and takes no second request', async () => {
  await allow(true);
  const ana = await buyer('ana2@example.com');
  await ask(ana);
  const declined = await owner.submit(paymentPage(ana.id), `${paymentPage(ana.id)}/decline-refund`, {});
  expect(declined.status).toBe(303);
  expect(await requestsOf()).toEqual([]);
  expect((await ana.reader.get(ana.path)).text).toContain('The store did not make one.');
  expect((await ana.reader.get(ana.form)).status).toBe(409);
  await ask(ana);
  expect(await requestsOf()).toEqual([]);
});

it('asks once if ten forms are sent at once', async () => {
  await allow(true);
  const ana = await buyer('ana3@example.com');
  const forms = await Promise.all(Array.from({ length: 10 }, () => openForm(ana)));
  const answers = await Promise.all(forms.map((fields) => ana.reader.post(ana.form, fields)));
  expect(answers.map(({ status }) => status).filter((status) => status !== 303 && status !== 409)).toEqual(
    [],
  );
  expect(await requestsOf()).toHaveLength(1);
  expect(await eventsOf(ana.id)).toHaveLength(1);
  expect(await em().count(AuditLineEntity, { subjectId: ana.id, action: 'refunds/request' })).toBe(1);
});

it('names the method of a payment without a description once', async () => {
  const ana = await buyer('ana6@example.com');
  const { text } = await ana.reader.get(ana.path);
  expect(text).toMatch(/<strong>Pix<\/strong><span><time [^>]*>[^<]*<\/time><\/span>/);
});

it("refuses requests for others' payments, and where the store forbids them", async () => {
  await allow(true);
  const [ana, eve] = [await buyer('ana4@example.com'), await buyer('eve@example.com')];
  const before = await requestsOf();
  const others = `${eve.path}/payments/${ana.id}/refund`;
  expect((await eve.reader.get(others)).status).toBe(404);
  expect((await ask({ ...eve, form: others })).status).not.toBe(303);
  const { text } = await ana.reader.get(ana.form);
  await allow(false);
  const submission = /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const sent = await ana.reader.post(ana.form, { csrf: csrfOf(text), submission });
  expect(sent.status).toBe(409);
  expect((await ana.reader.get(ana.path)).text).not.toContain('Ask for a refund');
  expect(await requestsOf()).toEqual(before);
});

it('asks by the API in dev mode once, and only for a paid payment', async () => {
  await allow(false);
  const ana = await buyer('ana5@example.com');
  const asked = () => app.api.post('/v2/dev/refunds/request', { id: ana.id });
  const answers = await Promise.all(Array.from({ length: 5 }, asked));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await eventsOf(ana.id)).toHaveLength(1);
  const data = { amount: 2_500 };
  const unpaid = dataOf<{ id: string }>(
    await app.api.post('/v2/transparents/create', { method: 'PIX', data }),
  );
  expect((await app.api.post('/v2/dev/refunds/request', { id: unpaid.id })).status).toBe(404);
  expect(await eventsOf(unpaid.id)).toEqual([]);
});
