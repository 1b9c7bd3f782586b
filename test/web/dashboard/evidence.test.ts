import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../../support/api/money-app.ts';
import { type DashboardUser, hiddenFields, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildPaidCheckout, buildPaidPix } from '../../support/rows/payments.ts';

const PDF = Buffer.from('%PDF-1.7 nota fiscal');

let app: MoneyApp;
let owner: DashboardUser;
let paymentId: string;

beforeAll(async () => {
  app = await createMoneyApp();
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
});
afterAll(() => app.close());

const post = async (path: string, body: object) => dataOf<{ id: string }>(await app.api.post(path, body));
const base = () => `/dashboard/${app.storeId}/dev/payments/${paymentId}`;
const evidence = () => `${base()}/evidence`;
const send = (action: string, fields = {}) => owner.submit(evidence(), `${evidence()}${action}`, fields);

beforeEach(async () => {
  ({ paymentId } = await buildPaidCheckout(app.api));
  await post('/v2/dev/disputes/open', { id: paymentId, reason: 'Não reconheço a compra' });
});

it.each([
  ['winning_evidence', 'PAID'],
  ['losing_evidence', 'REFUNDED'],
  ['Entregue em 3 de maio', 'UNDER_DISPUTE'],
])('submits %s once, and the payment is %s', async (uncategorizedText, status) => {
  expect((await owner.get(base())).html).toContain(`<a class="button" href="${evidence()}"`);
  const draftWithFile = { uncategorizedText, kind: 'receipt', next: 'submit' };
  expect(await owner.upload(evidence(), evidence(), { file: PDF }, draftWithFile)).toMatchObject({
    status: 303,
    location: expect.stringContaining('dialog=submit-evidence'),
  });
  const draft = await owner.get(evidence());
  expect(draft.html).toContain(uncategorizedText);
  expect(draft.text).toContain('application/pdf');
  expect(await send('/submit')).toMatchObject({ status: 303, location: base() });
  const { data } = (await app.api.get(`/v2/payments/get?id=${paymentId}`)).json as {
    data: { status: string };
  };
  expect(data.status).toBe(status);
});

it('refuses other types of files, and an empty submission', async () => {
  const html = Buffer.from('<script>alert(1)</script>');
  const typed = { uncategorizedText: 'Entregue', kind: 'receipt' };
  const refused = await owner.upload(evidence(), evidence(), { file: html }, typed);
  expect(refused).toMatchObject({ status: 422, html: expect.stringContaining('file-problem') });
  expect(refused.html).toContain('Entregue');
  expect(await send('/submit')).toMatchObject({ status: 422 });
});

it('sends nothing again that nobody has submitted, and records nothing', async () => {
  const form = hiddenFields(await owner.get(evidence()), evidence());
  expect((await owner.post(`${evidence()}/retry`, form)).status).toBe(404);
  const lines = { storeId: app.storeId, action: 'disputes/submit-evidence', subjectId: paymentId };
  expect(await app.database.em.fork().count(AuditLineEntity, lines)).toBe(0);
});

it('accepts the dispute as lost', async () => {
  expect(await send('/accept')).toMatchObject({ status: 303 });
  const { data } = (await app.api.get(`/v2/payments/get?id=${paymentId}`)).json as {
    data: { status: string };
  };
  expect(data.status).toBe('REFUNDED');
  expect((await owner.get(evidence())).status).toBe(404);
});

it('returns 404 for a PIX, whose bank decides, and for roles without refunds', async () => {
  const id = await buildPaidPix(app.api);
  await post('/v2/dev/disputes/open', { id });
  expect((await owner.get(`/dashboard/${app.storeId}/dev/payments/${id}/evidence`)).status).toBe(404);
  const support = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'support');
  expect((await support.get(evidence())).status).toBe(403);
});
