import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { run } from '../support/cli/command.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildPaidPix } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let sink: WebhookSink;
beforeAll(async () => {
  app = await createMoneyApp();
  sink = await startWebhookSink();
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});

/** A store with one paid charge, and its command line. */
async function openStore() {
  const { api } = await app.anotherStore();
  const env = { RECEBE_API_URL: api.url, RECEBE_API_KEY: api.key };
  const command = (args: string) => run(args, env);
  const json = async (args: string) => {
    const { code, out, errors } = await command(`${args} --json`);
    if (code !== 0) throw new Error(errors);
    return JSON.parse(out);
  };
  return { api, command, json };
}

const listed = async (api: ApiClient, path: string) => dataOf<{ id: string }[]>(await api.get(`/v2/${path}`));

describe('commands with an API key only', () => {
  it('lists events and payments, and reads one', async () => {
    const { api, command, json } = await openStore();
    const id = await buildPaidPix(api);
    const [event] = await listed(api, 'events/list');
    expect(await json(`events --about ${id} --name transparent.completed`)).toEqual([event]);
    expect(await json(`events ${event?.id}`)).toEqual(event);
    expect((await command('events')).out).toMatch(/^TIME.*\n.*transparent\.completed/);
    const [payment] = await listed(api, 'payments/list');
    expect(await json('payments --status PAID --limit 5')).toEqual([payment]);
    expect(await json(`payments ${id}`)).toEqual(payment);
    expect((await command('payments --status EXPIRED')).out).toBe('No payments found.');
    const wrong = await command('payments --status PAYED --json');
    expect([wrong.code, JSON.parse(wrong.errors).error.code]).toEqual([1, 'VALIDATION_ERROR']);
  });

  it('resends deliveries that failed since then', async () => {
    const { api, command, json } = await openStore();
    let status = 410;
    const endpoint = sink.endpoint(() => status);
    const webhook = await buildWebhook(api, { endpoint: endpoint.url, events: ['transparent.completed'] });
    await buildPaidPix(api);
    await eventually(async () => expect(await json('deliveries list --status FAILED')).toHaveLength(1));
    status = 200;
    dataOf(await api.post('/v2/webhooks/update', { id: webhook.id, enabled: true }));
    expect(await json('deliveries resend --since 1h')).toMatchObject([
      { webhookId: webhook.id, status: 'DONE', resentCount: 1 },
    ]);
    await endpoint.waitFor((received) => received.length === 2);
    await eventually(async () => expect(await json('deliveries list --status DELIVERED')).toHaveLength(1));
    const [delivery] = await json('deliveries list');
    expect(await json(`deliveries resend ${delivery.id}`)).toMatchObject({ id: delivery.id });
    await endpoint.waitFor((received) => received.length === 3);
    for (const args of ['deliveries resend', 'deliveries resend --since tomorrow'])
      expect(await command(args)).toMatchObject({ code: 2, errors: expect.stringContaining('--since') });
  });

  it('resends deliveries that failed recently by a moved clock', async () => {
    const { api, command, json } = await openStore();
    await json('clock advance --by P2D');
    let status = 410;
    const endpoint = sink.endpoint(() => status);
    const webhook = await buildWebhook(api, { endpoint: endpoint.url, events: ['transparent.completed'] });
    await buildPaidPix(api);
    await eventually(async () => expect(await json('deliveries list --status FAILED')).toHaveLength(1));
    status = 200;
    dataOf(await api.post('/v2/webhooks/update', { id: webhook.id, enabled: true }));
    expect(await json('deliveries resend --since 1h')).toMatchObject([{ status: 'DONE', resentCount: 1 }]);
    await endpoint.waitFor((received) => received.length === 2);
    const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
    expect(await command(`deliveries resend --since ${tomorrow}`)).toMatchObject({ code: 0 });
  });

  it("advances the store's clock, waits for it, and resets it after confirmation", async () => {
    const { command, json } = await openStore();
    expect(await json('clock show')).toMatchObject({ status: 'ready', movedFrom: null });
    const { now } = await json('clock advance --by P2D');
    expect(new Date(now).getTime()).toBeGreaterThan(Date.now() + 47 * 3_600_000);
    expect((await command('clock show')).out).toContain('moved');
    expect(await command('clock reset')).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    expect(await json('clock reset --yes')).toMatchObject({ status: 'ready', movedFrom: null });
    expect(await command('clock advance')).toMatchObject({ code: 2 });
  });
});
