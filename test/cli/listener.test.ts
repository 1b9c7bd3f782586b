import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import { EVENTS } from '../../src/events/events.ts';
import { writeEvent } from '../../src/events/record.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { run, start } from '../support/cli/command.ts';
import { startWebhookSink, type WebhookSink } from '../support/outside/webhook-sink.ts';
import { makeTestFolder, removeTestFolder } from '../support/servers/test-folder.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let app: TestApp;
let sink: WebhookSink;
let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  sink = await startWebhookSink();
});
afterAll(async () => {
  await app.close();
  await sink[Symbol.asyncDispose]();
});
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => removeTestFolder(folder));

const env = () => ({ RECEBE_API_URL: app.api.url, RECEBE_API_KEY: app.api.key, XDG_STATE_HOME: folder });

let happened = 0;

/** @returns the event's id. */
async function happen(
  name: 'payout.completed' | 'payout.failed' | 'transfer.failed' = 'payout.completed',
  at = new Date(),
): Promise<string> {
  happened += 1;
  const owner = { storeId: app.storeId as StoreId, devMode: true, customerId: null };
  const data = EVENTS[name].example as never;
  await writeEvent(app.database.em.fork(), owner, name, `tran_of_listener_${happened}`, data, at);
  const [event] = (await app.api.get('/v2/events/list?limit=1')).json.data as { id: string }[];
  return String(event?.id);
}

describe('a listener that was away', () => {
  it('receives first what it missed, in order and once', async () => {
    const endpoint = sink.endpoint();
    const args = ['listen', '--forward-to', endpoint.url];
    await using before = start(args, env());
    await before.waitForLines('ready', 1);
    const seen = await happen();
    await before.waitForLines('event', 1);
    await before.stop();
    const missed = [await happen(), await happen('payout.failed')];
    await using after = start(args, env());
    await after.waitForLines('event', 2);
    const live = await happen();
    await after.waitForLines('event', 3);
    expect(after.of('event').map(({ id }) => id)).toEqual([...missed, live]);
    expect(endpoint.received.map(({ body }) => JSON.parse(body).eventId)).toEqual([seen, ...missed, live]);
  });

  it('receives what it missed even if it had received nothing before', async () => {
    await using before = start(['listen'], env());
    await before.waitForLines('ready', 1);
    await waitFor(() => readdirSync(folder, { recursive: true }).join().includes('position-'));
    await before.stop();
    const missed = await happen();
    await using after = start(['listen'], env());
    await after.waitForLines('event', 1);
    expect(after.of('event')[0]).toMatchObject({ id: missed });
  });

  it('begins with new events with --since now, and for another address or event', async () => {
    await using before = start(['listen'], env());
    await before.waitForLines('ready', 1);
    await before.stop();
    await happen('payout.failed');
    for (const args of [
      ['--since', 'now'],
      ['--event', 'payout.failed'],
    ]) {
      await using after = start(['listen', ...args], env());
      await after.waitForLines('ready', 1);
      expect(after.lines[0]).toMatchObject({ after: null });
    }
  });

  it('begins with new events if its last one is stored no more', async () => {
    await using before = start(['listen'], env());
    await before.waitForLines('ready', 1);
    await happen();
    await before.waitForLines('event', 1);
    await before.stop();
    const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('position-'),
    );
    writeFileSync(join(folder, file), JSON.stringify({ after: 'evnt_01J9Z40TQ4D2C8B6A1Z3Y5X7WV' }));
    await using after = start(['listen'], env());
    await after.waitForLines('forgotten', 1);
    await after.waitForLines('ready', 1);
    const live = await happen();
    await after.waitForLines('event', 1);
    expect(after.of('event').map(({ id }) => id)).toEqual([live]);
  });
});

describe('recebe listen --since and --event', () => {
  it('begins with the named events since an instant', async () => {
    const early = new Date(Date.now() - 3 * 3_600_000);
    await happen('transfer.failed', early);
    const lately = await happen('transfer.failed');
    for (const since of ['2h', new Date(Date.now() - 7_200_000).toISOString()]) {
      await using listening = start(['listen', '--since', since, '--event', 'transfer.failed'], env());
      await listening.waitForLines('event', 1);
      expect(listening.of('event').map(({ id }) => id)).toEqual([lately]);
    }
  });

  it('takes --event several times, together with --events', async () => {
    const names = ['--event', 'payout.failed', '--event', 'transfer.failed', '--events', 'payout.failed'];
    await using listening = start(['listen', ...names], env());
    await listening.waitForLines('ready', 1);
    await happen('payout.completed');
    await happen('payout.failed');
    await happen('transfer.failed');
    await listening.waitForLines('event', 2);
    expect(listening.of('event').map(({ event }) => event)).toEqual(['payout.failed', 'transfer.failed']);
  });

  it('refuses a wrong time or event with the form that it must have', async () => {
    expect(await run('listen --since tomorrow', env())).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--since: must be a point in time'),
    });
    expect(await run('listen --event payout.complete', env())).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--event: there is no payout.complete'),
    });
  });
});

describe('recebe events resend', () => {
  it('forwards an event again through the listener that runs', async () => {
    const endpoint = sink.endpoint();
    const id = await happen();
    await using listening = start(['listen', '--since', 'now', '--forward-to', endpoint.url], env());
    await listening.waitForLines('ready', 1);
    const again = await run(`events resend ${id} --to listener --json`, env());
    expect(JSON.parse(again.out)).toMatchObject([{ statusCode: 200, error: null }]);
    expect(endpoint.received.map(({ body }) => JSON.parse(body).eventId)).toEqual([id]);
    expect(listening.of('event')).toMatchObject([{ id, again: true }]);
    expect(await run('events resend evnt_01J9Z40TQ4D2C8B6A1Z3Y5X7WV --to listener', env())).toMatchObject({
      code: 1,
      errors: expect.stringContaining('not found'),
    });
  });

  it('exits with what to start if no listener runs, even after one was killed', async () => {
    const id = await happen();
    await using listening = start(['listen', '--forward-to', sink.endpoint().url], env());
    await listening.waitForLines('ready', 1);
    const [file = ''] = doorsIn(folder);
    const left = readFileSync(join(folder, file));
    await listening.stop();
    expect(doorsIn(folder)).toEqual([]);
    writeFileSync(join(folder, file), left);
    expect(await run(`events resend ${id} --to listener`, env())).toMatchObject({
      code: 2,
      errors: expect.stringContaining('start "recebe listen --forward-to <url>" first'),
    });
    expect(doorsIn(folder)).toEqual([]);
  });

  it('forwards nothing for a program that does not know the token', async () => {
    const endpoint = sink.endpoint();
    const id = await happen();
    await using listening = start(['listen', '--since', 'now', '--forward-to', endpoint.url], env());
    await listening.waitForLines('ready', 1);
    const [file = ''] = doorsIn(folder);
    const { port } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const headers of [{}, { Authorization: `Bearer ${'x'.repeat(43)}` }]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: id, headers });
      expect(response.status).toBe(404);
    }
    expect(endpoint.received).toEqual([]);
  });

  it('resends the delivery of an event to a registered endpoint', async () => {
    const { id: webhookId } = (
      await app.api.post('/v2/webhooks/create', {
        name: 'Shop',
        endpoint: 'https://example.com/hooks',
        secret: 'a secret of 16 bytes',
        events: ['payout.failed'],
      })
    ).json.data as { id: string };
    const other = await happen('payout.completed');
    expect(await run(`events resend ${other} --to ${webhookId}`, env())).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`was not sent to ${webhookId}`),
    });
    const id = await happen('payout.failed');
    const { deliveries } = await deliveriesOf(id);
    const sent = await run(`events resend ${id} --to ${webhookId} --json`, env());
    expect(JSON.parse(sent.out)).toMatchObject({ id: deliveries[0]?.id, eventId: id });
    expect(app.resent).toContain(deliveries[0]?.id);
  });
});

const doorsIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('door-'));

async function deliveriesOf(eventId: string) {
  const answer = await app.api.get(`/v2/webhooks/deliveries?eventId=${eventId}`);
  return { deliveries: answer.json.data as { id: string }[] };
}
