import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let psp: Psp;
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, api } = await createStoreAtBank());
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

it('returns PENDING while the bank hangs, and COMPLETED once it answers', async () => {
  const { id } = dataOf<{ id: ChargeId }>(
    await api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_500 } }),
  );
  const { endToEndId } = psp.bank.pay(id.slice(-26));
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  // The bank makes the refund without answering, and returns 503 to look-ups until the faults end.
  psp.faults.order({ fault: { kind: 'HANG_AFTER_EFFECT' }, on: 'PUT refund', times: 'ALWAYS' });
  psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'GET refund', skip: 1, times: 'ALWAYS' });
  const { patienceMs } = app.temporal;
  app.temporal.patienceMs = 0;
  const answer = await api.post('/v2/transparents/refund', { id });
  app.temporal.patienceMs = patienceMs;
  expect(answer.json).toMatchObject({ data: { status: 'PENDING', amount: 2_500 } });
  psp.faults.clear();
  await eventually(async () => expect((await chargeOf(api, id)).status).toBe('REFUNDED'));
  expect(await api.post('/v2/transparents/refund', { id })).toMatchObject({
    json: { data: { status: 'COMPLETED' } },
  });
  expect(psp.bank.findPayment(endToEndId).refunds).toHaveLength(1);
});
