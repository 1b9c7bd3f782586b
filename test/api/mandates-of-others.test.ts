import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Mandate, MandateEntity } from '../../src/database/entities/mandate.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { insertMandate } from '../support/rows/mandates.ts';
import { insertSubscribed } from '../support/rows/subscriber-rows.ts';

let app: TestApp;
let mandate: Mandate;
let subscriptionId: string;
let strangers: readonly ApiClient[];
beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  const { subscription } = await insertSubscribed({ database: app.database, storeId: app.storeId }, 'PIX');
  subscriptionId = subscription.id;
  mandate = await insertMandate(app.database, subscription, { status: 'PENDING', consentCode: 'code' });
  const { id: storeId } = await createTestStore(app.database);
  strangers = [await app.clientWith({ storeId }), await app.clientWith({ devMode: false })];
});
afterAll(() => app.close());

it('hides authorizations from other stores and from production', async () => {
  const { id, checkoutId } = mandate;
  expect((await app.api.get(`/v2/mandates/get?id=${id}`)).status).toBe(200);
  for (const api of strangers) {
    const nobodys = await api.get('/v2/mandates/get?id=mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM');
    expect([nobodys.status, (await api.get(`/v2/mandates/get?id=${id}`)).status]).toEqual([404, 404]);
    for (const filter of ['', `?subscriptionId=${subscriptionId}`, `?checkoutId=${checkoutId}`])
      expect((await api.get(`/v2/mandates/list${filter}`)).json).toMatchObject({ data: [] });
  }
});

it('answers, ends and asks for no authorization of another store', async () => {
  for (const api of strangers) {
    const answer = await api.post('/v2/dev/mandates/answer', { id: mandate.id, answer: 'accept' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await api.post('/v2/mandates/cancel', { id: mandate.id })).status).toBe(404);
    expect((await api.post('/v2/mandates/create', { subscriptionId })).status).toBe(404);
  }
  const now = await app.database.em.fork().findOneOrFail(MandateEntity, { id: mandate.id });
  expect(now).toMatchObject({ status: 'PENDING', endRequestedAt: null, updatedAt: mandate.updatedAt });
});

it('shows one page for every address that is no authorization', async () => {
  const page = (id: string) => fetch(new URL(`/authorize/${id}`, app.api.url));
  expect((await page(mandate.id)).status).toBe(200);
  for (const id of ['mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM', 'mand_%00', 'mand_', '%00', `mand_${'9'.repeat(500)}`])
    expect([id, (await page(id)).status]).toEqual([id, 404]);
});
