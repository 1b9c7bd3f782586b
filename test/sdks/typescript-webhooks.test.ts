import { describe, expect, it } from '@jest/globals';
import {
  type DeliveryHeaders,
  verifyWebhook,
  WebhookVerificationError,
  webhookHandler,
} from '../../sdks/typescript/src/index.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';

const BODY = JSON.stringify({ id: 'log_1', event: 'transparent.completed', data: { name: 'João' } });
const SECRETS = ['a long random text', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'whsec_not base64', 'é'];

function signed(secrets: readonly [string, ...string[]], body = BODY, ageSeconds = 0) {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds;
  return signWebhook({ deliveryId: 'log_1', body, secrets, timestampSeconds });
}

describe('verifyWebhook', () => {
  it.each(SECRETS)('returns the event of a delivery that the service signed with "%s"', async (secret) => {
    const headers = signed([secret]);
    const { 'X-Webhook-Signature': signature = '' } = headers;
    const event = JSON.parse(BODY);
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(BODY, headers, secret)).toEqual(event);
    expect(await verifyWebhook(bytes, new Headers(headers), secret)).toEqual(event);
    expect(await verifyWebhook(bytes.buffer, signature, secret)).toEqual(event);
  });

  it('accepts both secrets while the secret changes', async () => {
    const headers = signed(['new secret', 'previous secret']);
    const { 'X-Webhook-Signature': signature = '' } = headers;
    await verifyWebhook(BODY, headers, 'new secret');
    await verifyWebhook(BODY, headers, 'previous secret');
    await verifyWebhook(BODY, signature, ['previous secret', 'new secret']);
  });

  it('returns an event that this release does not know', async () => {
    const body = JSON.stringify({ id: 'log_1', event: 'transparent.teleported', extra: 1, data: {} });
    expect(await verifyWebhook(body, signed(['secret'], body), 'secret')).toEqual(JSON.parse(body));
  });

  const genuine = signed(['secret']);
  const refusals: readonly (readonly [string, string, DeliveryHeaders | string, string | string[]])[] = [
    ['another secret', BODY, genuine, 'other'],
    ['a changed body', BODY.replace('log_1', 'log_2'), genuine, 'secret'],
    ['a changed id', BODY, { ...genuine, 'webhook-id': 'log_2' }, 'secret'],
    ['no headers', BODY, {}, 'secret'],
    ['a repeated header', BODY, { ...genuine, 'webhook-id': ['log_1', 'log_2'] }, 'secret'],
    ['a signature that is no base64', BODY, { ...genuine, 'webhook-signature': 'v1,%%%' }, 'secret'],
    ['a signature of another version', BODY, { ...genuine, 'webhook-signature': 'v2,AAAA' }, 'secret'],
    ['an empty signature', BODY, '', 'secret'],
    ['a time that is no number', BODY, { ...genuine, 'webhook-timestamp': 'now' }, 'secret'],
    ['a delivery of ten minutes ago', BODY, signed(['secret'], BODY, 600), 'secret'],
    ['a delivery of the future', BODY, signed(['secret'], BODY, -600), 'secret'],
    ['no secret', BODY, signed(['']), []],
    ['an empty secret', BODY, signed(['']), ''],
  ];
  it.each(refusals)('refuses %s', async (_, body, headers, secret) => {
    await expect(verifyWebhook(body, headers, secret)).rejects.toThrow(WebhookVerificationError);
  });
});

function delivery(body: string, headers: Record<string, string> = signed(['secret'], body)) {
  return new Request('https://shop.example/hooks', { method: 'POST', body, headers });
}

describe('webhookHandler', () => {
  it('verifies a delivery, then calls the handlers of every event and of this one', async () => {
    const calls: string[] = [];
    const handle = webhookHandler({
      secret: ['new secret', 'secret'],
      onEvent: ({ id }) => calls.push(`every ${id}`),
      on: {
        'transparent.completed': async ({ id }) => calls.push(`completed ${id}`),
        'transparent.refunded': () => calls.push('refunded'),
      },
    });
    expect((await handle(delivery(BODY))).status).toBe(200);
    expect(calls).toEqual(['every log_1', 'completed log_1']);
  });

  it('refuses a delivery that is unsigned or too large, without calling a handler', async () => {
    const handle = webhookHandler({
      secret: 'secret',
      onEvent: () => {
        throw new Error('called');
      },
    });
    const large = 'x'.repeat(1024 * 1024 + 1);
    expect((await handle(delivery(BODY, signed(['other'])))).status).toBe(400);
    expect((await handle(delivery(large))).status).toBe(413);
    expect((await handle(new Request('https://shop.example/hooks', { method: 'POST' }))).status).toBe(400);
  });

  it('acknowledges events that this release does not know', async () => {
    const body = JSON.stringify({ id: 'log_1', event: 'constructor', data: {} });
    expect((await webhookHandler({ secret: 'secret', on: {} })(delivery(body))).status).toBe(200);
  });

  it('throws what a handler throws, so that the delivery is sent again', async () => {
    const handle = webhookHandler({
      secret: 'secret',
      on: {
        'transparent.completed': async () => {
          throw new Error('the database is away');
        },
      },
    });
    await expect(handle(delivery(BODY))).rejects.toThrow('the database is away');
  });

  it.each([undefined, '', []])('throws without a secret: %j', async (secret) => {
    await expect(webhookHandler({ secret })(delivery(BODY))).rejects.toThrow('secret');
  });
});
