import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashOfKey } from '../../src/api/keys/caller.ts';
import { rotateKey } from '../../src/api/keys/rotate-key.ts';
import type { ShownPayout, ShownTransfer } from '../../src/api/payouts/schema.ts';
import { ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId, UserId } from '../../src/domain/ids.ts';
import { hoursAfter } from '../../src/domain/payout-approval.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { availableCents, credit } from '../support/rows/credit.ts';
import { setControls } from '../support/rows/payout-controls.ts';

const ANA = { type: 'EMAIL', key: 'ana@example.com' };

let app: TestApp;
let storeId: StoreId;
/** Asks for money. */
let api: ApiClient;
/** Approves it. */
let approver: ApiClient;
let now = new Date('2026-11-23T14:22:08.120Z');
/** Ids of payouts whose workflow was started. */
let started: string[];

beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: ({ id }) => void started.push(id) } });
});
beforeEach(async () => {
  started = [];
  storeId = (await createTestStore(app.database)).id;
  api = await app.clientWith({ storeId });
  approver = await app.clientWith({ storeId });
  await credit(app.database, { storeId, devMode: true }, 1_000_000);
});
afterAll(() => app.close());

let sent = 0;
async function send(amount: number, key = ANA.key): Promise<ShownTransfer> {
  sent += 1;
  const body = { amount, externalId: `transfer-${sent}`, pix: { ...ANA, key } };
  return dataOf<ShownTransfer>(await api.post('/v2/pix/send', body));
}
const control = (controls: Parameters<typeof setControls>[2]) =>
  setControls(app.database, { storeId, devMode: true }, controls);
const approve = ({ id }: { id: string }, by = approver) => by.post('/v2/pix/approve', { id });
const reject = ({ id }: { id: string }, by = approver) => by.post('/v2/pix/reject', { id });
const get = async ({ id }: { id: string }) => dataOf<ShownTransfer>(await api.get(`/v2/pix/get?id=${id}`));
/** Replaces a client's key, which still works for an hour. */
async function rotated(client: ApiClient, creatorId?: UserId): Promise<ApiClient> {
  const em = app.database.em.fork();
  const { id } = await em.findOneOrFail(ApiKeyEntity, { hash: hashOfKey(client.key) });
  const rotation = { overlapMs: 60 * 60_000, ...(creatorId && { creatorId }) };
  const next = await em.transactional((tx) => rotateKey(tx, id, { storeId }, rotation, now));
  if (next === null) throw new Error('the key serves');
  return client.as(next.keyText);
}
const refusal = (rule: string, error: string) => ({
  status: 422,
  json: { rule, error: expect.stringContaining(error) },
});

describe('transfers above the amount that needs an approval', () => {
  beforeEach(() => control({ approvalAboveCents: 10_000 }));

  it('reserves the amount, starts no workflow and shows when the approval expires', async () => {
    const transfer = await send(10_001);
    expect(transfer).toMatchObject({
      status: 'PENDING',
      approval: {
        status: 'WAITING',
        reasons: ['AMOUNT'],
        releasesAt: null,
        expiresAt: hoursAfter(now, 72).toISOString(),
        decidedAt: null,
      },
    });
    expect(started).toEqual([]);
    expect(await availableCents(app.database, { storeId, devMode: true })).toBe(989_999);
    expect(dataOf<ShownTransfer[]>(await api.get('/v2/pix/list'))).toEqual([transfer]);
  });

  it('sends a transfer of exactly the amount without approval', async () => {
    const transfer = await send(10_000);
    expect(transfer.approval).toBeNull();
    expect(started).toEqual([transfer.id]);
  });

  it('starts the workflow of a transfer once someone else approves it', async () => {
    const transfer = await send(10_001);
    expect(dataOf<ShownTransfer>(await approve(transfer))).toMatchObject({
      status: 'PENDING',
      approval: { status: 'APPROVED', decidedAt: now.toISOString() },
    });
    expect(started).toEqual([transfer.id]);
    expect((await get(transfer)).approval?.status).toBe('APPROVED');
  });

  it('returns the same answer to a repeated approval', async () => {
    const transfer = await send(10_001);
    const first = await approve(transfer);
    expect((await approve(transfer)).text).toBe(first.text);
  });

  it('approves a payout to the store’s own account under /payouts, not under /pix', async () => {
    const body = { amount: 10_001, externalId: 'own' };
    const payout = dataOf<ShownPayout>(await api.post('/v2/payouts/create', body));
    expect(payout.approval?.status).toBe('WAITING');
    expect(await approve(payout)).toMatchObject({ status: 404 });
    expect(await approver.post('/v2/payouts/approve', { id: payout.id })).toMatchObject({ status: 200 });
  });

  it('holds a withdrawal of v1 until it is approved', async () => {
    const body = { amount: 10_001, externalId: 'v1', method: 'PIX', pix: ANA };
    const { id } = dataOf<{ id: string }>(await api.post('/v1/withdraw/create', body));
    expect(started).toEqual([]);
    expect(dataOf<ShownPayout>(await api.get(`/v2/payouts/get?id=${id}`)).approval?.status).toBe('WAITING');
  });

  it('counts waiting transfers against the limit of the day', async () => {
    await control({ approvalAboveCents: 10_000, maxDayCents: 15_000 });
    await send(10_001);
    const body = { amount: 5_000, externalId: 'over', pix: ANA };
    expect(await api.post('/v2/pix/send', body)).toMatchObject({ json: { rule: 'DAY_LIMIT_REACHED' } });
  });

  it('keeps a transfer waiting when the controls are switched off', async () => {
    const transfer = await send(10_001);
    await control({});
    expect((await get(transfer)).approval?.status).toBe('WAITING');
    expect(await approve(transfer)).toMatchObject({ status: 200 });
  });
});

describe('four eyes', () => {
  beforeEach(() => control({ approvalAboveCents: 0 }));

  it('refuses approval by the creating key, but lets that key reject', async () => {
    const transfer = await send(500);
    expect(await approve(transfer, api)).toMatchObject(
      refusal('OWN_PAYOUT', 'was created by the same person or API key'),
    );
    expect(started).toEqual([]);
    expect(await reject(transfer, api)).toMatchObject({ status: 200 });
  });

  it('refuses approval by another key of the same person', async () => {
    const creatorId = 'user_ana' as UserId;
    await app.database.em.fork().nativeUpdate(ApiKeyEntity, { storeId }, { creatorId });
    expect(await approve(await send(500))).toMatchObject(refusal('OWN_PAYOUT', 'someone else must approve'));
  });

  it('refuses approval by the key that replaces the creating one, and by the replaced', async () => {
    const created = await send(500);
    const next = await rotated(api);
    expect(await approve(created, next)).toMatchObject(refusal('OWN_PAYOUT', 'someone else must approve'));
    const body = { amount: 500, externalId: 'by-the-next', pix: ANA };
    const createdByNext = dataOf<ShownTransfer>(await next.post('/v2/pix/send', body));
    expect(await approve(createdByNext, api)).toMatchObject(refusal('OWN_PAYOUT', 'someone else must'));
    expect(await approve(createdByNext)).toMatchObject({ status: 200 });
  });

  it("refuses approval by another person's replacement of the key of the creator", async () => {
    const em = app.database.em.fork();
    const [ana, rui] = ['user_ana' as UserId, 'user_rui' as UserId];
    await em.nativeUpdate(ApiKeyEntity, { hash: hashOfKey(approver.key) }, { creatorId: ana });
    const next = await rotated(approver, rui);
    for (const creatorId of [ana, rui]) {
      const transfer = await send(500);
      await em.nativeUpdate(PayoutEntity, { id: transfer.id as PayoutId }, { creatorId });
      expect(await approve(transfer, next)).toMatchObject(refusal('OWN_PAYOUT', 'someone else must'));
    }
  });

  it('refuses decisions by a key without WITHDRAW:APPROVE', async () => {
    const weak = await app.clientWith({ storeId, permissions: ['WITHDRAW:CREATE', 'WITHDRAW:READ'] });
    const transfer = await send(500);
    for (const answer of [await approve(transfer, weak), await reject(transfer, weak)])
      expect(answer).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
  });

  it('returns 404 for a transfer of another store or environment', async () => {
    const transfer = await send(500);
    const stranger = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
    const production = await app.clientWith({ storeId, devMode: false });
    for (const other of [stranger, production])
      expect(await approve(transfer, other)).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
  });

  it('refuses to decide twice, or about a transfer that needs no approval', async () => {
    const transfer = await send(500);
    await reject(transfer);
    expect(await approve(transfer)).toMatchObject(
      refusal('NOT_WAITING', 'this transfer is REJECTED already'),
    );
    await control({});
    expect(await approve(await send(500))).toMatchObject(
      refusal('NOT_WAITING', 'this transfer needs no approval'),
    );
  });

  it('refuses to approve after 72 hours', async () => {
    const transfer = await send(500);
    now = hoursAfter(now, 72);
    expect(await approve(transfer)).toMatchObject(refusal('NOT_WAITING', 'this transfer is EXPIRED already'));
    expect(started).toEqual([]);
  });

  it('starts one workflow for a rejection as well', async () => {
    const transfer = await send(500);
    expect(dataOf<ShownTransfer>(await reject(transfer))).toMatchObject({
      status: 'PENDING',
      approval: { status: 'REJECTED' },
    });
    expect(started).toEqual([transfer.id]);
  });

  it('accepts one of a concurrent approval and rejection, 30 times', async () => {
    const third = await app.clientWith({ storeId });
    for (let round = 0; round < 30; round++) {
      const transfer = await send(500);
      const answers = await Promise.all([approve(transfer), reject(transfer, third)]);
      const won = answers.map(({ status }) => status).indexOf(200);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect((await get(transfer)).approval?.status).toBe(won === 0 ? 'APPROVED' : 'REJECTED');
    }
  });

  it('accepts one of two concurrent approvals, 30 times', async () => {
    const third = await app.clientWith({ storeId });
    for (let round = 0; round < 30; round++) {
      const transfer = await send(500);
      const answers = await Promise.all([approve(transfer), approve(transfer, third)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  it.each([
    ['is revoked', 'revoked_at = now()', { status: 403, json: { code: 'PERMISSION_DENIED' } }],
    ['expires', "expires_at = '2020-01-01'", { status: 401, json: { code: 'KEY_EXPIRED' } }],
    [
      'is allowed elsewhere only',
      "allowed_networks = array['192.0.2.7']",
      { status: 403, json: { code: 'ADDRESS_NOT_ALLOWED' } },
    ],
  ])('refuses approval by a key that %s meanwhile', async (_, change, refusal) => {
    const transfer = await send(500);
    const em = app.database.em.fork();
    await em.begin();
    await em.execute(`update api_keys set ${change} where hash = ?`, [hashOfKey(approver.key)]);
    const answer = approve(transfer);
    await waitsForLock();
    await em.commit();
    expect(await answer).toMatchObject(refusal);
    expect((await get(transfer)).approval?.status).toBe('WAITING');
  });
});

describe('a new PIX key', () => {
  const WAIT = 24;
  beforeEach(() => control({ newPayeeWaitHours: WAIT }));
  const complete = ({ id }: ShownTransfer, at: Date) =>
    app.database.em
      .fork()
      .nativeUpdate(PayoutEntity, { id: id as never }, { status: 'COMPLETE', updatedAt: at });

  it('holds a transfer to a new PIX key until the wait ends, without an approval', async () => {
    const transfer = await send(500);
    expect(transfer.approval).toMatchObject({
      status: 'WAITING',
      reasons: ['NEW_PAYEE'],
      releasesAt: hoursAfter(now, WAIT).toISOString(),
      expiresAt: null,
    });
    expect(started).toEqual([]);
  });

  it('releases a transfer to a new PIX key at once after an approval', async () => {
    const transfer = await send(500);
    expect(await approve(transfer)).toMatchObject({ status: 200 });
    expect(started).toEqual([transfer.id]);
  });

  it('trusts a PIX key in one store once its first transfer is old enough', async () => {
    const first = await send(500);
    await complete(first, now);
    expect((await send(500)).approval?.reasons).toEqual(['NEW_PAYEE']);
    now = hoursAfter(now, WAIT);
    expect((await send(500)).approval).toBeNull();
    expect((await send(500, 'bia@example.com')).approval?.reasons).toEqual(['NEW_PAYEE']);
    const { id: otherId } = await createTestStore(app.database);
    await setControls(app.database, { storeId: otherId, devMode: true }, { newPayeeWaitHours: WAIT });
    await credit(app.database, { storeId: otherId, devMode: true }, 500);
    const other = await app.clientWith({ storeId: otherId });
    const body = { amount: 500, externalId: 'other', pix: ANA };
    expect(dataOf<ShownTransfer>(await other.post('/v2/pix/send', body)).approval?.status).toBe('WAITING');
  });

  it('requires an approval of a transfer to a new PIX key above the amount', async () => {
    await control({ newPayeeWaitHours: WAIT, approvalAboveCents: 1_000 });
    expect((await send(1_001)).approval).toMatchObject({
      reasons: ['AMOUNT', 'NEW_PAYEE'],
      releasesAt: null,
      expiresAt: hoursAfter(now, 72).toISOString(),
    });
  });

  it('never applies the wait to a payout to the store’s own account', async () => {
    const body = { amount: 500, externalId: 'own' };
    expect(dataOf<ShownPayout>(await api.post('/v2/payouts/create', body)).approval).toBeNull();
  });
});

/** Until a connection waits for a lock that the test holds. */
async function waitsForLock(): Promise<void> {
  for (;;) {
    const waiting = await app.database.em
      .fork()
      .execute<unknown[]>(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
    if (waiting.length > 0) return;
  }
}
