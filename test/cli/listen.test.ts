import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { StoreId } from '../../src/domain/ids.ts';
import { EVENTS } from '../../src/events/events.ts';
import { writeEvent } from '../../src/events/record.ts';
import type { ApiClient } from '../support/api/api-client.ts';
import { run, start } from '../support/cli/command.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import type { ServiceProcess } from '../support/servers/processes.ts';

/** An API without a worker: what happens is written as a worker would write it. */
let deployment: Deployment;
let service: { process: ServiceProcess; api: ApiClient };
let port: number;
let sink: WebhookSink;
beforeAll(async () => {
  deployment = await createDeployment();
  port = await lastingPort();
  service = await deployment.startApi({ PORT: String(port) });
  sink = await startWebhookSink();
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

let happened = 0;

async function happen(name: 'payout.completed' | 'payout.failed' = 'payout.completed'): Promise<string> {
  happened += 1;
  const owner = { storeId: deployment.storeId as StoreId, devMode: true, customerId: null };
  const data = EVENTS[name].example;
  const subjectId = `tran_${happened}`;
  await writeEvent(deployment.database.em.fork(), owner, name, subjectId, data as never, new Date());
  return subjectId;
}

const env = () => ({ RECEBE_API_URL: service.api.url, RECEBE_API_KEY: service.api.key });

describe('recebe listen', () => {
  it('forwards events in the form of a delivery with both signatures', async () => {
    const endpoint = sink.endpoint();
    await using listening = start(['listen', '--forward-to', endpoint.url], env());
    await listening.waitForLines('ready', 1);
    const secret = String(listening.lines[0]?.secret);
    await happen();
    await listening.waitForLines('event', 1);
    const [webhook] = endpoint.received;
    const body = webhook?.body ?? '';
    const headers = webhook?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      id: headers['webhook-id'],
      event: 'payout.completed',
      apiVersion: 2,
      devMode: true,
      eventId: listening.of('event')[0]?.id,
      data: EVENTS['payout.completed'].example,
    });
    expect(createHmac('sha256', secret).update(body).digest('base64')).toBe(headers['x-webhook-signature']);
    expect(listening.of('event')).toEqual([
      expect.objectContaining({
        event: 'payout.completed',
        deliveryId: headers['webhook-id'],
        statusCode: 200,
        error: null,
      }),
    ]);
    expect(await listening.stop()).toBe(0);
  });

  it('signs with the same secret each time, or with the one that is given', async () => {
    const secrets: unknown[] = [];
    for (const args of [[], [], ['--secret', 'of my own']]) {
      await using listening = start(['listen', ...args], env());
      await listening.waitForLines('ready', 1);
      secrets.push(listening.lines[0]?.secret);
    }
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/), secrets[0], 'of my own']);
  });

  it('shows the answer of an endpoint that refuses an event, and continues', async () => {
    const endpoint = sink.endpoint((attempt) => (attempt === 1 ? 500 : 204));
    await using listening = start(['listen', '--forward-to', endpoint.url], env());
    await listening.waitForLines('ready', 1);
    await happen();
    await happen();
    await listening.waitForLines('event', 2);
    expect(listening.of('event').map(({ statusCode }) => statusCode)).toEqual([500, 204]);
  });

  it('shows the events that are named, and says which there are', async () => {
    await using listening = start(['listen', '--events', 'payout.failed'], env());
    await listening.waitForLines('ready', 1);
    await happen('payout.completed');
    await happen('payout.failed');
    await listening.waitForLines('event', 1);
    expect(listening.of('event').map(({ event }) => event)).toEqual(['payout.failed']);
    const refused = await run('listen --events payout.complete', env());
    expect(refused).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/payout\.complete;.* payout\.failed/),
    });
  });

  it('waits for a service that restarts, and forwards once what happened meanwhile', async () => {
    const endpoint = sink.endpoint();
    await using listening = start(['listen', '--forward-to', endpoint.url], env());
    await listening.waitForLines('ready', 1);
    const first = await happen();
    await listening.waitForLines('event', 1);
    await service.process.terminate();
    await listening.waitForLines('cut', 1);
    const meanwhile = [await happen(), await happen()];
    service = await deployment.startApi({ PORT: String(port) });
    const after = await happen();
    await listening.waitForLines('event', 4);
    const events = await service.api.get('/v2/events/list');
    const subjects = new Map(
      (events.json.data as { id: string; subjectIds: string[] }[]).map(({ id, subjectIds }) => [
        id,
        subjectIds[0],
      ]),
    );
    const forwarded = endpoint.received.map(({ body }) => subjects.get(JSON.parse(body).eventId));
    expect(forwarded).toEqual([first, ...meanwhile, after]);
    expect(listening.of('back')).toHaveLength(1);
  });

  it("exits with the API's error for an invalid key, as JSON if asked", async () => {
    const wrong = { ...env(), RECEBE_API_KEY: 'abc_dev_none' };
    const asText = await run('listen', wrong);
    expect(asText).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: .*API key is not valid/),
    });
    const asJson = await run('listen --json', wrong);
    expect(asJson).toMatchObject({ code: 1, out: '' });
    expect(JSON.parse(asJson.errors)).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
  });
});
