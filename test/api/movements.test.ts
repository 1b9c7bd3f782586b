import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownBalance } from '../../src/api/balance/balance-fields.ts';
import type { ShownMovement } from '../../src/api/balance/schema.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildPaidCheckout, buildPaidPix } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());
const openStore = async () => {
  ({ storeId, api } = await app.anotherStore());
};

const list = async (query = '') => dataOf<ShownMovement[]>(await api.get(`/v2/balance/movements${query}`));
const statement = async (query = '') => {
  const { json } = await api.get(`/v2/balance/movements${query}`);
  return (json as unknown as { balance: { opening: ShownBalance; closing: ShownBalance } }).balance;
};
const NOTHING = { available: 0, pending: 0, blocked: 0 };

describe('GET /balance/movements', () => {
  it('lists every change of the balance with its object and the balance after it', async () => {
    await openStore();
    const paid = await buildPaidPix(api, { amount: 10_000 });
    const { paymentId: card } = await buildPaidCheckout(api);
    const disputed = await buildPaidPix(api);
    dataOf(await api.post('/v2/dev/disputes/open', { id: disputed }));
    dataOf(await api.post('/v2/dev/disputes/lose', { id: disputed }));
    const { refundPublicId } = dataOf<{ refundPublicId: string }>(
      await api.post('/v2/checkouts/refund', { id: card }),
    );
    const pix = { type: 'EMAIL', key: 'conta-encerrada@example.com' };
    const transfer = dataOf<{ id: string }>(
      await api.post('/v2/pix/send', { amount: 1_000, externalId: 'transfer-1', pix }),
    );
    await eventually(async () => expect((await list())[0]).toMatchObject({ kind: 'PAYOUT_FAILED' }));

    const shown = (await list()).reverse();
    expect(
      shown.map(({ kind, account, amount, platformFee, balanceAfter }) => [
        kind,
        account,
        amount,
        platformFee,
        balanceAfter,
      ]),
    ).toEqual([
      ['PAYMENT', 'AVAILABLE', 9_920, 80, 9_920],
      ['PAYMENT', 'PENDING', 4_765, 235, 4_765],
      ['PAYMENT', 'AVAILABLE', 2_420, 80, 12_340],
      ['DISPUTE_OPENED', 'AVAILABLE', -2_420, -80, 9_920],
      ['DISPUTE_OPENED', 'BLOCKED', 2_500, -80, 2_500],
      ['DISPUTE_LOST', 'BLOCKED', -2_500, 0, 0],
      ['REFUND_RESERVED', 'PENDING', -4_765, -235, 0],
      ['PAYOUT_RESERVED', 'AVAILABLE', -1_000, 0, 8_920],
      ['PAYOUT_FAILED', 'AVAILABLE', 1_000, 0, 9_920],
    ]);
    expect(shown[0]).toMatchObject({ paymentId: paid, refundId: null, disputeId: null, devMode: true });
    expect(shown[4]).toMatchObject({ paymentId: disputed, disputeId: expect.stringMatching(/^disp_/) });
    expect(shown[6]).toMatchObject({ paymentId: card, refundId: refundPublicId });
    expect(shown[8]).toMatchObject({ transferId: transfer.id, payoutId: null, paymentId: null });
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    expect(await statement()).toEqual({ opening: NOTHING, closing: await balanceOf(api) });

    expect((await list('?account=BLOCKED')).map(({ amount }) => amount)).toEqual([-2_500, 2_500]);
    expect(await list('?kind=PAYMENT')).toHaveLength(3);
    expect(await list('?kind=SETTLEMENT')).toEqual([]);
  });

  it('shows the balance at the start and at the end of a range', async () => {
    await openStore();
    await buildPaidPix(api, { amount: 1_000 });
    await buildPaidPix(api, { amount: 2_000 });
    await buildPaidPix(api, { amount: 3_000 });
    const [, second] = await list();
    const from = second?.createdAt ?? '';
    const to = new Date(Date.parse(from) + 1).toISOString();
    expect(await list(`?from=${from}&to=${to}`)).toEqual([second]);
    expect(await statement(`?from=${from}&to=${to}`)).toEqual({
      opening: { ...NOTHING, available: 920 },
      closing: { ...NOTHING, available: 920 + 1_920 },
    });
    expect(await statement('?from=2099-01-01')).toEqual({
      opening: await balanceOf(api),
      closing: await balanceOf(api),
    });
    expect(await statement('?to=2020-01-01')).toEqual({ opening: NOTHING, closing: NOTHING });
  });

  it('adds up in list order after concurrent payments, and pages in both directions', async () => {
    await openStore();
    await Promise.all(Array.from({ length: 12 }, () => buildPaidPix(api)));
    await buildPaidCheckout(api);
    const all = await list();
    expect(all).toHaveLength(13);
    let available = 0;
    for (const { account, amount, balanceAfter } of [...all].reverse()) {
      if (account !== 'AVAILABLE') continue;
      available += amount;
      expect(balanceAfter).toBe(available);
    }
    expect(available).toBe((await balanceOf(api)).available);

    const first = await api.get('/v2/balance/movements?limit=5');
    const second = await api.get(`/v2/balance/movements?limit=5&after=${first.json.pagination?.next}`);
    const back = await api.get(`/v2/balance/movements?limit=5&before=${second.json.pagination?.before}`);
    expect([...dataOf<unknown[]>(first), ...dataOf<unknown[]>(second)]).toEqual(all.slice(0, 10));
    expect(dataOf(back)).toEqual(all.slice(0, 5));
  });

  it('shows only the key’s store and environment and needs all read permissions', async () => {
    await openStore();
    await buildPaidPix(api);
    for (const other of [(await app.anotherStore()).api, await app.clientWith({ storeId, devMode: false })])
      expect(dataOf(await other.get('/v2/balance/movements'))).toEqual([]);
    const needed = ['STORE:READ', 'CHECKOUT:READ', 'WITHDRAW:READ'] as const;
    for (const lacking of needed) {
      const permissions = needed.filter((permission) => permission !== lacking);
      const answer = await (await app.clientWith({ storeId, permissions })).get('/v2/balance/movements');
      expect(answer).toMatchObject({ status: 403, json: { code: 'PERMISSION_DENIED' } });
      expect(answer.json.error).toContain(lacking);
    }
    const reader = await app.clientWith({ storeId, permissions: needed });
    expect(dataOf(await reader.get('/v2/balance/movements'))).toHaveLength(1);
  });
});
