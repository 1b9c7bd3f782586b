import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAUSED, CAUSES } from '../../src/cli/integrator/causes.ts';
import { EVENT_NAMES, type EventName } from '../../src/domain/event.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';

/** Only a payer who pays twice, late or too little brings this about. */
const NOT_CAUSED: readonly EventName[] = ['payment.returned'];

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

const envOf = (api: ApiClient) => ({ RECEBE_API_URL: api.url, RECEBE_API_KEY: api.key });

describe('recebe trigger', () => {
  it('covers every event and names it in its help', async () => {
    expect(new Set(Object.keys(CAUSES))).toEqual(new Set(EVENT_NAMES));
    expect(EVENT_NAMES.filter((name) => !CAUSED.includes(name))).toEqual(
      EVENT_NAMES.filter((name) => NOT_CAUSED.includes(name)),
    );
    const { out } = await run('help trigger', {});
    for (const name of EVENT_NAMES) expect(out).toContain(name);
  });

  it.each(CAUSED)('causes the event %s and prints its id', async (name) => {
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

  it('explains an event that it cannot cause and refuses a production key', async () => {
    const { api } = await app.anotherStore();
    expect(await run('trigger payment.returned', envOf(api))).toMatchObject({
      code: 2,
      errors: expect.stringContaining('pays twice'),
    });
    expect(await run('trigger nothing.happened', envOf(api))).toMatchObject({ code: 2 });
    const env = { ...envOf(api), RECEBE_API_KEY: `abc_prod_${'x'.repeat(43)}` };
    expect(await run('trigger transparent.completed', env)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('dev mode only'),
    });
  });
});
