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

/** A charge that has come to this status, a second ago. */
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
  it('made 20 times at once with the same content is one charge', async () => {
    const charges = await Promise.all(Array.from({ length: 20 }, () => create('once')));
    expect(new Set(idsOf(charges)).size).toBe(1);
  });

  it('with other content is a conflict', async () => {
    await create('taken');
    const answer = await ask('taken', { amount: 2_501 });
    expect([answer.status, answer.json.code]).toEqual([409, 'EXTERNAL_ID_CONFLICT']);
  });

  it('with the same content in another order, or with fields sent as null, is the same charge', async () => {
    const customer = { name: 'Ana Souza', email: 'ana@example.com' };
    const { id } = await create('order', { customer, metadata: { a: 1, b: 2 } });
    const again = {
      metadata: { b: 2, a: 1 },
      description: null,
      customer: { email: 'ana@example.com', name: 'Ana Souza', taxId: null },
    };
    expect((await create('order', again)).id).toBe(id);
  });

  it('of a charge of an earlier release, which kept its content otherwise, is the same charge', async () => {
    const charge = await create('earlier');
    const content = { method: 'PIX', data: { amount: 2_500, externalId: 'earlier', expiresIn: 86_400 } };
    await update(charge, { contentHash: hash('sha256', JSON.stringify(content)) });
    expect((await create('earlier')).id).toBe(charge.id);
    expect((await ask('earlier', { amount: 2_501 })).status).toBe(409);
  });

  it('of another store or environment is free', async () => {
    await create('shared');
    const { id } = await createTestStore(app.database);
    const elsewhere = await app.clientWith({ storeId: id });
    const answer = await elsewhere.post(CREATE, { method: 'PIX', data: { amount: 1, externalId: 'shared' } });
    expect(answer.status).toBe(200);
  });
});

describe('the externalId of a charge that is', () => {
  it.each(['PENDING', 'PAID', 'UNDER_DISPUTE', 'REFUNDED'] as const)(
    '%s gives that charge',
    async (status) => {
      const { id } = await inStatus(`kept ${status}`, status);
      expect(await create(`kept ${status}`)).toMatchObject({ id, status });
    },
  );

  it.each(['EXPIRED', 'CANCELLED', 'FAILED'] as const)(
    '%s makes a new one, whatever its content, which is given from then on',
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

  it('over, though its workflow has not written so yet, makes a new one', async () => {
    const old = await create('late', { expiresIn: 60 });
    passMs(59_999);
    expect((await create('late', { expiresIn: 60 })).id).toBe(old.id);
    passMs(1);
    expect((await create('late', { expiresIn: 60 })).id).not.toBe(old.id);
  });

  it('over makes one new charge, also where 20 ask at once, as often as it happens', async () => {
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

  it('paid after all, as its payer was in time, leaves the new one as it is', async () => {
    const old = await inStatus('both', 'EXPIRED');
    const again = await create('both');
    await update(old, { status: 'PAID' });
    expect(await create('both')).toEqual(again);
    expect((await listed('both')).map(({ status }) => status)).toEqual(['PENDING', 'PAID']);
  });
});
