import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAudit } from '../../src/audit-log/verify-audit.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { webhookBody } from '../support/rows/build.ts';
import { buildPaidPix } from '../support/rows/payments.ts';
import { setControls } from '../support/rows/payout-controls.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

interface Line {
  readonly action: string;
  readonly subject_id: string;
  readonly details: string | null;
}

const lines = () =>
  app.database.em.fork().execute<Line[]>(
    `select line.*, key.store_id as "keyStore" from audit_lines line join api_keys key on key.id = line.key_id
       where actor_kind = 'API_KEY' order by position`,
  );

/** What `work` answers with, and the lines that it adds. */
async function added<Result>(work: () => Promise<Result>) {
  const before = (await lines()).length;
  const result = await work();
  return { result, lines: (await lines()).slice(before) };
}

const post = <Data>(path: string, body: unknown, headers = {}) =>
  app.api.post(path, body, { headers }).then((answer) => dataOf<Data>(answer));

describe('an API key leaves one line', () => {
  it('records one audit line for a payout and a transfer, and none for repeats', async () => {
    await buildPaidPix(app.api, { amount: 50_000 });
    const pix = { type: 'EMAIL', key: 'ana@example.com' };
    const orders = [
      ['/v2/payouts/create', { amount: 1_000, externalId: 'one' }],
      ['/v2/pix/send', { amount: 1_000, externalId: 'two', pix }],
    ] as const;
    for (const [path, body] of orders) {
      const first = await added(() => post<{ id: string }>(path, body));
      expect(first.lines).toMatchObject([
        {
          action: path.slice('/v2/'.length),
          subject_id: first.result.id,
          keyStore: app.storeId,
          dev_mode: true,
          details: expect.stringContaining('"amount":1000'),
        },
      ]);
      expect((await added(() => post(path, body))).lines).toEqual([]);
    }
    expect(JSON.stringify(await lines())).not.toContain('ana@');
  });

  it.each(['approve', 'reject'])(
    'records one audit line when a key decides about a transfer first: %s',
    async (decision) => {
      const owner = { storeId: app.storeId, devMode: true };
      await setControls(app.database, owner, { approvalAboveCents: 0 });
      const pix = { type: 'EMAIL', key: 'ana@example.com' };
      const { id } = await post<{ id: string }>('/v2/pix/send', { amount: 900, externalId: decision, pix });
      const approver = await app.clientWith();
      const decide = () => approver.post(`/v2/pix/${decision}`, { id });
      const { lines: found } = await added(async () => {
        await app.api.post('/v2/pix/approve', { id });
        await decide();
        await decide();
      });
      expect(found).toMatchObject([
        { action: `pix/${decision}`, subject_id: id, keyStore: app.storeId, details: '{"amount":900}' },
      ]);
      await setControls(app.database, owner, {});
    },
  );

  it('records one audit line for a refund that is requested three times at once', async () => {
    const id = await buildPaidPix(app.api);
    const once = await added(() => Promise.all([1, 2, 3].map(() => post('/v2/transparents/refund', { id }))));
    expect(once.lines).toMatchObject([{ action: 'transparents/refund', subject_id: id }]);
  });

  it('records one audit line for a partial refund repeated with its Idempotency-Key', async () => {
    const id = await buildPaidPix(app.api, { amount: 5_000 });
    const headers = { 'Idempotency-Key': 'part-1' };
    const part = () => post('/v2/transparents/refund', { id, amount: 100 }, headers);
    expect((await added(part)).lines).toHaveLength(1);
    expect((await added(part)).lines).toEqual([]);
  });

  it('records an audit line for each change of a product, and none for repeats', async () => {
    const { result, lines: found } = await added(async () => {
      const product = { externalId: 'audited', name: 'Camiseta', price: 4_990, currency: 'BRL' };
      const { id } = await post<{ id: string }>('/v2/products/create', product);
      await app.api.post('/v2/products/create', product);
      await post('/v2/products/update', { id, name: 'Camisa' });
      await post('/v2/products/update', { id });
      for (const name of ['archive', 'archive', 'restore', 'restore'])
        await post(`/v2/products/${name}`, { id });
      await app.api.post(`/v2/products/delete?id=${id}`, undefined);
      await app.api.post(`/v2/products/delete?id=${id}`, undefined);
      return id;
    });
    expect(found.map(({ action, subject_id, details }) => [action, subject_id, details])).toEqual([
      ['products/create', result, null],
      ['products/update', result, '{"fields":["name"]}'],
      ['products/archive', result, null],
      ['products/restore', result, null],
      ['products/delete', result, null],
    ]);
  });

  it('records an audit line for each change of a coupon, also by v1', async () => {
    const coupon = { code: 'AUDIT10', discountKind: 'PERCENTAGE', discount: 10, notes: 'x' };
    const { lines: found } = await added(async () => {
      await post('/v2/coupons/create', coupon);
      await app.api.post('/v2/coupons/create', coupon);
      await post('/v2/coupons/update', { id: 'AUDIT10', maxRedeems: 5 });
      await post('/v2/coupons/update', { id: 'AUDIT10' });
      await app.api.post('/v2/coupons/toggle?id=AUDIT10', undefined);
      await app.api.post('/v2/coupons/delete?id=AUDIT10', undefined);
      await app.api.post('/v1/coupon/create', { ...coupon, code: 'AUDIT20' });
    });
    expect(found.map(({ action, subject_id }) => [action, subject_id])).toEqual([
      ...['create', 'update', 'toggle', 'delete'].map((name) => [`coupons/${name}`, 'AUDIT10']),
      ['v1/coupon/create', 'AUDIT20'],
    ]);
    expect(found[1]?.details).toBe('{"fields":["maxRedeems"]}');
  });

  it("records an audit line for a customer's update and erasure, without personal data", async () => {
    const email = 'audited@example.com';
    const { id } = await post<{ id: string }>('/v2/customers/create', { email });
    const { lines: found } = await added(async () => {
      await post('/v2/customers/update', { id, name: 'Ana Auditada', cellphone: '+55 11 91234-5678' });
      await post('/v2/customers/update', { id });
      await app.api.post('/v2/customers/update', { id: 'cust_unknown', name: 'Ana Auditada' });
      await app.api.post(`/v2/customers/delete?id=${id}`, undefined);
    });
    expect(found).toMatchObject([
      {
        action: 'customers/update',
        subject_id: id,
        keyStore: app.storeId,
        details: '{"fields":["name","cellphone"]}',
      },
      { action: 'customers/delete', subject_id: id },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/audited@|Auditada|91234/);
  });

  it('records an audit line for each webhook change, without the secret', async () => {
    const { result, lines: found } = await added(async () => {
      const { id } = await post<{ id: string }>(
        '/v2/webhooks/create',
        webhookBody({ secret: 'first-secret-of-16' }),
      );
      await post('/v2/webhooks/update', { id, name: 'Other', enabled: false });
      await post('/v2/webhooks/rotate-secret', { id, secret: 'second-secret-of-16' });
      await post('/v2/webhooks/rotate-secret', { id, secret: 'second-secret-of-16' });
      await post('/v2/webhooks/delete', { id });
      return id;
    });
    expect(found.map(({ action, subject_id }) => [action, subject_id])).toEqual(
      ['create', 'update', 'rotate-secret', 'delete'].map((name) => [`webhooks/${name}`, result]),
    );
    expect(found[1]?.details).toBe('{"fields":["name","enabled"]}');
    expect(JSON.stringify(found)).not.toContain('-secret-of-16');
  });
});

it('records no audit line for refused requests or for a charge that is created', async () => {
  const { lines: found } = await added(async () => {
    await app.api.post('/v2/payouts/create', { amount: 999_999_999, externalId: 'too-much' });
    await app.api.post('/v2/webhooks/delete', { id: 'webh_unknown' });
    await app.api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 100 } });
  });
  expect(found).toEqual([]);
});

it('keeps the audit chain valid after all these changes', async () => {
  const { faults, lines: read } = await verifyAudit(app.database.em.fork(), new Date(), true);
  expect([faults, read > 5]).toEqual([[], true]);
});
