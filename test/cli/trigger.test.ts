import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAUSES } from '../../src/cli/integrator/causes.ts';
import { EVENT_NAMES } from '../../src/domain/event-names.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

const envOf = (api: ApiClient) => ({ RECEBE_API_URL: api.url, RECEBE_API_KEY: api.key });

describe('recebe trigger', () => {
  it('covers every event and names it in its help', async () => {
    expect(new Set(Object.keys(CAUSES))).toEqual(new Set(EVENT_NAMES));
    const { out } = await run('help trigger', {});
    for (const name of EVENT_NAMES) expect(out).toContain(name);
  });

  it.each(EVENT_NAMES)('causes the event %s and prints its id', async (name) => {
    const { api } = await app.anotherStore();
    const { code, out, errors } = await run(`trigger ${name} --yes --json`, envOf(api));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { id, subjectId } = JSON.parse(out);
    const event = dataOf<{ name: string; subjectIds: string[] }>(await api.get(`/v2/events/get?id=${id}`));
    expect(event.name).toBe(name);
    if (name === 'webhook.disabled') return expect(JSON.stringify(event)).toContain(subjectId);
    expect(event.subjectIds).toContain(subjectId);
    expect(dataOf(await api.get('/v2/webhooks/list'))).toEqual([]);
  });

  it('asks before it moves the clock', async () => {
    const { api } = await app.anotherStore();
    expect(await run('trigger subscription.renewed', envOf(api))).toMatchObject({
      code: 2,
      errors: expect.stringContaining('moves by a month'),
    });
    const { movedFrom } = dataOf<{ movedFrom: string | null }>(await api.get('/v2/dev/clock'));
    expect(movedFrom).toBeNull();
    expect(dataOf(await api.get('/v2/subscriptions/list'))).toEqual([]);
  });

  it('refuses an unknown event and a production key', async () => {
    const { api } = await app.anotherStore();
    expect(await run('trigger nothing.happened', envOf(api))).toMatchObject({ code: 2 });
    const env = { ...envOf(api), RECEBE_API_KEY: `abc_prod_${'x'.repeat(43)}` };
    expect(await run('trigger transparent.completed', env)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('dev mode only'),
    });
  });

  it('returns a simulated payment below the amount due and leaves the charge open', async () => {
    const { api } = await app.anotherStore();
    const body = { method: 'PIX', data: { amount: 2_500 } };
    const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
    const answer = await api.post(`/v2/transparents/simulate-payment?id=${id}`, { amount: 2_499 });
    expect(dataOf(answer)).toMatchObject({ id, status: 'PENDING', paidAmount: null });
    await eventually(async () => {
      const events = dataOf<{ name: string; data: object }[]>(
        await api.get(`/v2/events/list?subjectId=${id}`),
      );
      expect(events).toMatchObject([
        { name: 'payment.returned', data: { returnedPayment: { amount: 2_499, reason: 'AMOUNT_TOO_LOW' } } },
      ]);
    });
    const { balance } = dataOf<{ balance: { available: number; pending: number } }>(
      await api.get('/v2/store/get'),
    );
    expect([balance.available, balance.pending]).toEqual([0, 0]);
  });
});
