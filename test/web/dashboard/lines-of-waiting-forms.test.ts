import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ExpectedLine, recordAbandonedLines } from '../../../src/audit-log/expected-line.ts';
import { AlreadyDone } from '../../../src/audit-log/record-action.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { MembershipEntity } from '../../../src/database/entities/membership.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { ApiClient } from '../../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp, spend } from '../../support/api/money-app.ts';
import { type DashboardUser, hiddenFields, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { buildPaidPix } from '../../support/rows/payments.ts';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
let owner: DashboardUser;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ storeId, api } = await app.anotherStore());
  const email = `owner-${crypto.randomUUID()}@example.com`;
  owner = await signedIn({ url: app.api.url, database: app.database }, storeId, 'owner', email);
});

const em = () => app.database.em.fork();
const at = (path: string) => `/dashboard/${storeId}/dev${path}`;
const linesOf = (action: string) => em().find(AuditLineEntity, { storeId, action });
const expectedLines = () => em().execute<object[]>('select form from expected_audit_lines');

it('leaves no line for refused refunds, and one for the refund that was made', async () => {
  const path = at(`/payments/${await buildPaidPix(api)}`);
  for (const amount of ['99.999,00', 'a']) {
    const { status } = await owner.submit(path, `${path}/refund`, { amount, reason: '' });
    expect(status).toBe(422);
  }
  expect(await linesOf('transparents/refund')).toEqual([]);
  const done = await owner.submit(path, `${path}/refund`, { amount: '1,00', reason: '' });
  expect(done.status).toBe(303);
  const refund = expect.stringMatching(/^\{"refund":"tran_\w+","amount":100\}$/);
  expect(await linesOf('transparents/refund')).toMatchObject([{ role: 'owner', details: refund }]);
  expect(await expectedLines()).toEqual([]);
});

it('leaves no line for a refund that the balance does not cover', async () => {
  const path = at(`/payments/${await buildPaidPix(api)}`);
  await spend(app, storeId, 2_000);
  const { status } = await owner.submit(path, `${path}/refund`, { amount: '', reason: '' });
  expect(status).toBe(422);
  expect(await linesOf('transparents/refund')).toEqual([]);
});

it('leaves no line for a payment that cannot be cancelled any more', async () => {
  const id = await buildPaidPix(api);
  const form = hiddenFields(await owner.get(at(`/payments/${id}`)), at(`/payments/${id}/refund`));
  const { location } = await owner.post(at(`/payments/${id}/cancel`), form);
  expect(location).toContain(`/payments/${id}`);
  expect(await linesOf('transparents/cancel')).toEqual([]);
  // Nothing was done with this form, so it can still do something.
  expect((await owner.post(at(`/payments/${id}/refund`), { ...form, amount: '', reason: '' })).status).toBe(
    303,
  );
  expect(await linesOf('transparents/refund')).toHaveLength(1);
});

it('leaves one line for a form that is sent ten times at once', async () => {
  const path = at(`/payments/${await buildPaidPix(api)}`);
  const form = hiddenFields(await owner.get(path), `${path}/refund`);
  const body = { ...form, amount: '1,00', reason: '' };
  await Promise.all(Array.from({ length: 10 }, () => owner.post(`${path}/refund`, body)));
  expect(await linesOf('transparents/refund')).toHaveLength(1);
  expect(await em().execute('select id from refunds where store_id = :storeId', { storeId })).toHaveLength(1);
});

it('records a refund whose outcome is unknown, because Temporal is away', async () => {
  const path = at(`/payments/${await buildPaidPix(api)}`);
  const there = await signedIn(
    { url: app.apiWithoutTemporal.url, database: app.database },
    storeId,
    'owner',
    `away-${crypto.randomUUID()}@example.com`,
  );
  const { status } = await there.submit(path, `${path}/refund`, { amount: '1,00', reason: '' });
  expect(status).toBe(503);
  const [line] = await linesOf('transparents/refund');
  expect(JSON.parse(line?.details ?? '')).toMatchObject({ amount: 100, outcome: 'UNKNOWN' });
});

it('records an action whose process died before it knew the outcome, once', async () => {
  const { userId } = await em().findOneOrFail(MembershipEntity, { storeId });
  const now = new Date();
  const actor = { kind: 'PERSON', userId, role: 'owner', storeId, address: '', submission: 's1' } as const;
  const done = { action: 'subscriptions/cancel', subjectId: 'subs_1', devMode: true, now };
  const note = () => em().transactional((tx) => ExpectedLine.note(tx, app.database, actor, done));
  const line = await note();
  await expect(note()).rejects.toThrow(AlreadyDone);
  await recordAbandonedLines(app.database, new Date(now.getTime() + 9 * 60_000));
  expect(await linesOf('subscriptions/cancel')).toEqual([]);
  const later = new Date(now.getTime() + 11 * 60_000);
  await Promise.all([1, 2].map(() => recordAbandonedLines(app.database, later)));
  await line.record();
  expect(await linesOf('subscriptions/cancel')).toMatchObject([
    { subjectId: 'subs_1', createdAt: now, details: JSON.stringify({ outcome: 'UNKNOWN' }) },
  ]);
  await expect(note()).rejects.toThrow(AlreadyDone);
});
