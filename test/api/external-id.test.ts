import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';

const CREATE = '/v2/transparents/create';

let app: TestApp;
let now = new Date('2026-12-02T15:00:00.000Z');
beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

const ask = (externalId: string, data: object = {}) =>
  app.api.post(CREATE, { method: 'PIX', data: { amount: 2_500, externalId, ...data } });
const create = async (externalId: string, data: object = {}) =>
  dataOf<ShownCharge>(await ask(externalId, data));
const idsOf = (charges: readonly { readonly id: string }[]) => charges.map(({ id }) => id);
const listed = async (externalId: string) =>
  dataOf<ShownCharge[]>(await app.api.get(`/v2/transparents/list?externalId=${externalId}`));

const passMs = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

/** Creates a charge that reached this status a second ago. */
async function inStatus(externalId: string, status: ChargeStatus): Promise<ShownCharge> {
  const charge = await create(externalId);
  await update(charge, { status });
  passMs(1_000);
  return charge;
}

function update({ id }: ShownCharge, changes: { status?: ChargeStatus; contentHash?: string }) {
  return app.database.em.fork().nativeUpdate(ChargeEntity, { id: id as ChargeId }, changes);
}

describe('the externalId of a charge', () => {
  it('creates one charge from 20 parallel requests with the same content', async () => {
    const charges = await Promise.all(Array.from({ length: 20 }, () => create('once')));
    expect(new Set(idsOf(charges)).size).toBe(1);
  });

  it('returns 409 for the same externalId with other content', async () => {
    await create('taken');
    const answer = await ask('taken', { amount: 2_501 });
    expect([answer.status, answer.json.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
  });

  it('treats another field order and null fields as the same content', async () => {
    const customer = { name: 'Ana Souza', email: 'ana@example.com' };
    const { id } = await create('order', { customer, metadata: { a: 1, b: 2 } });
    const again = {
      metadata: { b: 2, a: 1 },
      description: null,
      customer: { email: 'ana@example.com', name: 'Ana Souza', taxId: null },
    };
    expect((await create('order', again)).id).toBe(id);
  });

  it('recognises the content hash of an earlier release', async () => {
    const charge = await create('earlier');
    const content = { method: 'PIX', data: { amount: 2_500, externalId: 'earlier', expiresIn: 86_400 } };
    await update(charge, { contentHash: hash('sha256', JSON.stringify(content)) });
    expect((await create('earlier')).id).toBe(charge.id);
    expect((await ask('earlier', { amount: 2_501 })).status).toBe(409);
  });

  it('accepts the externalId of another store', async () => {
    await create('shared');
    const { id } = await createTestStore(app.database);
    const elsewhere = await app.clientWith({ storeId: id });
    const answer = await elsewhere.post(CREATE, { method: 'PIX', data: { amount: 1, externalId: 'shared' } });
    expect(answer.status).toBe(200);
  });
});

describe('the externalId of a charge that is', () => {
  it.each(['PENDING', 'PAID', 'UNDER_DISPUTE', 'REFUNDED'] as const)(
    'returns a charge that is %s',
    async (status) => {
      const { id } = await inStatus(`kept ${status}`, status);
      expect(await create(`kept ${status}`)).toMatchObject({ id, status });
    },
  );

  it.each(['EXPIRED', 'CANCELLED', 'FAILED'] as const)(
    'creates a new charge after one that is %s and returns that one afterwards',
    async (status) => {
      const externalId = `free-${status}`;
      const old = await inStatus(externalId, status);
      const again = await create(externalId, { amount: 9_900 });
      expect(again).toMatchObject({ status: 'PENDING', amount: 9_900 });
      expect(await create(externalId, { amount: 9_900 })).toEqual(again);
      expect((await ask(externalId)).status).toBe(409);
      expect(idsOf(await listed(externalId))).toEqual([again.id, old.id]);
    },
  );

  it('creates a new charge once the old one expires, even if its workflow is late', async () => {
    const old = await create('late', { expiresIn: 60 });
    passMs(59_999);
    expect((await create('late', { expiresIn: 60 })).id).toBe(old.id);
    passMs(1);
    expect((await create('late', { expiresIn: 60 })).id).not.toBe(old.id);
  });

  it('creates one new charge from 20 parallel requests after each expiry', async () => {
    const made = [await inStatus('again', 'EXPIRED')];
    for (let times = 0; times < 3; times++) {
      const charges = await Promise.all(Array.from({ length: 20 }, () => create('again')));
      const [again] = charges;
      expect(new Set(idsOf(charges)).size).toBe(1);
      expect(idsOf(made)).not.toContain(again?.id);
      if (again === undefined) throw new Error('unreachable: 20 were made');
      made.unshift(again);
      await update(again, { status: 'EXPIRED' });
      passMs(1_000);
    }
    expect(idsOf(await listed('again'))).toEqual(idsOf(made));
  });

  it('keeps the new charge when the expired one is paid after all', async () => {
    const old = await inStatus('both', 'EXPIRED');
    const again = await create('both');
    await update(old, { status: 'PAID' });
    expect(await create('both')).toEqual(again);
    expect((await listed('both')).map(({ status }) => status)).toEqual(['PENDING', 'PAID']);
  });
});
