import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endKey } from '../../src/api/keys/api-keys.ts';
import { findCaller } from '../../src/api/keys/caller.ts';
import type { ShownTransfer } from '../../src/api/payouts/schema.ts';
import { hoursAfter } from '../../src/domain/payout-approval.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { credit } from '../support/rows/credit.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

async function shop(controls: Parameters<typeof setControls>[2]) {
  const { storeId, api } = await app.anotherStore();
  const owner = { storeId, devMode: true };
  await credit(app.database, owner, 100_000);
  await setControls(app.database, owner, controls);
  return { api, approver: await app.clientWith({ storeId }) };
}

async function send(api: ApiClient): Promise<ShownTransfer> {
  const pix = { type: 'EMAIL', key: 'ana@example.com' };
  return dataOf(await api.post('/v2/pix/send', { amount: 60_000, externalId: 'supplier-7', pix }));
}
const get = async (api: ApiClient, { id }: ShownTransfer) =>
  dataOf<ShownTransfer>(await api.get(`/v2/pix/get?id=${id}`));
const eventsOf = async (api: ApiClient, name: string) =>
  dataOf<{ data: unknown }[]>(await api.get(`/v2/events/list?name=${name}`));

it('sends a transfer once it is approved', async () => {
  const { api, approver } = await shop({ approvalAboveCents: 50_000 });
  const transfer = await send(api);
  expect(dataOf(await approver.post('/v2/pix/approve', { id: transfer.id }))).toMatchObject({
    approval: { status: 'APPROVED' },
  });
  await eventually(async () => expect((await get(api, transfer)).status).toBe('COMPLETE'));
  expect(await balanceOf(api)).toMatchObject({ available: 40_000 });
  // A second approval has no effect and returns the transfer as it is now.
  expect(dataOf(await approver.post('/v2/pix/approve', { id: transfer.id }))).toMatchObject({
    status: 'COMPLETE',
  });
});

it('returns the money of a rejected transfer and sends transfer.failed', async () => {
  const { api, approver } = await shop({ approvalAboveCents: 50_000 });
  const transfer = await send(api);
  dataOf(await approver.post('/v2/pix/reject', { id: transfer.id }));
  await eventually(async () => expect((await get(api, transfer)).status).toBe('FAILED'));
  expect(await get(api, transfer)).toMatchObject({
    reason: 'approval_rejected',
    approval: { status: 'REJECTED' },
  });
  expect(await balanceOf(api)).toMatchObject({ available: 100_000 });
  expect(await eventsOf(api, 'transfer.failed')).toMatchObject([
    { data: { transfer: { id: transfer.id, reason: 'approval_rejected' } } },
  ]);
});

it('releases a transfer to a new PIX key once the moved clock passes its wait', async () => {
  const { api } = await shop({ newPayeeWaitHours: 24 });
  const transfer = await send(api);
  await advance(api, { by: 'PT23H' });
  expect((await get(api, transfer)).approval?.status).toBe('WAITING');
  await advance(api, { by: 'PT1H1M' });
  expect(await get(api, transfer)).toMatchObject({
    status: 'COMPLETE',
    approval: { status: 'RELEASED', decidedAt: transfer.approval?.releasesAt },
  });
});

it('fails an unapproved transfer once the moved clock passes 72 hours', async () => {
  const { api } = await shop({ approvalAboveCents: 0 });
  const transfer = await send(api);
  await advance(api, { by: 'P4D' });
  expect(await get(api, transfer)).toMatchObject({
    status: 'FAILED',
    reason: 'approval_expired',
    updatedAt: transfer.approval?.expiresAt,
  });
});

describe('a transfer whose key is revoked while it waits for a new PIX key', () => {
  async function held() {
    const { api, approver } = await shop({ newPayeeWaitHours: 24 });
    const transfer = await send(api);
    const key = await findCaller(app.database, api.key);
    if (key !== null) await endKey(app.database.em.fork(), key.keyId, {}, new Date());
    await advance(approver, { by: 'PT24H1M' });
    return { approver, transfer };
  }

  it('waits for an approval, and is sent after it', async () => {
    const { approver, transfer } = await held();
    const releasesAt = new Date(transfer.approval?.releasesAt ?? '');
    expect(await get(approver, transfer)).toMatchObject({
      status: 'PENDING',
      approval: {
        status: 'WAITING',
        reasons: ['NEW_PAYEE', 'LOST_AUTHORITY'],
        releasesAt: null,
        expiresAt: hoursAfter(releasesAt, 72).toISOString(),
        decidedAt: null,
      },
    });
    expect(dataOf(await approver.post('/v2/pix/approve', { id: transfer.id }))).toMatchObject({
      approval: { status: 'APPROVED' },
    });
    await eventually(async () => expect((await get(approver, transfer)).status).toBe('COMPLETE'));
  });

  it('fails if nobody approves it within 72 hours', async () => {
    const { approver, transfer } = await held();
    await advance(approver, { by: 'PT71H' });
    expect((await get(approver, transfer)).status).toBe('PENDING');
    await advance(approver, { by: 'PT1H' });
    expect(await get(approver, transfer)).toMatchObject({ status: 'FAILED', reason: 'approval_expired' });
    expect(await balanceOf(approver)).toMatchObject({ available: 100_000 });
    expect(await eventsOf(approver, 'transfer.failed')).toHaveLength(1);
  });
});
