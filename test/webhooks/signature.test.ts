import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signWebhook, standardWebhooksSecret, withWebhookSecret } from '../../src/webhooks/signature.ts';

const BODY = '{"id":"log_1","event":"transparent.completed","data":{"name":"José da Conceição"}}';
const WEBHOOK = { deliveryId: 'log_1', body: BODY, timestampSeconds: nowSeconds() };

describe('X-Webhook-Signature', () => {
  it("signs the body by base64 HMAC-SHA256, keyed with the secret's text", () => {
    const headers = signWebhook({ ...WEBHOOK, secrets: ['my-secret'] });
    expect(headers['X-Webhook-Signature']).toBe(
      createHmac('sha256', 'my-secret').update(Buffer.from(BODY)).digest('base64'),
    );
  });

  it('covers the exact bytes, also those that are not UTF-8', () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
    const headers = signWebhook({ ...WEBHOOK, body, secrets: ['s'] });
    expect(headers['X-Webhook-Signature']).toBe(createHmac('sha256', 's').update(body).digest('base64'));
  });

  it('signs with the current secret while the secret is being rotated', () => {
    const rotating = signWebhook({ ...WEBHOOK, secrets: ['new', 'old'] });
    expect(rotating['X-Webhook-Signature']).toBe(
      signWebhook({ ...WEBHOOK, secrets: ['new'] })['X-Webhook-Signature'],
    );
  });
});

describe('the Standard Webhooks headers', () => {
  it.each([
    ['a plain secret', 'my-secret'],
    ['a Standard Webhooks secret', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    ['an accented secret', 'segredo do João 🔑'],
    ['a prefix without base64', 'whsec_not-base64!'],
    ['a prefix with unpadded base64', 'whsec_YWI'],
    ['a prefix alone', 'whsec_'],
  ])("signs so that the standard's library verifies %s", (_what, secret) => {
    const headers = signWebhook({ ...WEBHOOK, secrets: [secret] });
    expect(new Webhook(standardWebhooksSecret(secret)).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it("signs so that the standard's library verifies any secret and JSON body", () => {
    const anySecret = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.base64String({ minLength: 1 }).map((text) => `whsec_${text}`),
      fc.string({ minLength: 1 }).map((text) => `whsec_${text}`),
    );
    fc.assert(
      fc.property(anySecret, fc.json(), (secret, body) => {
        const headers = signWebhook({ ...WEBHOOK, body, secrets: [secret] });
        new Webhook(standardWebhooksSecret(secret)).verify(body, headers);
      }),
    );
  });

  it('uses a whsec_ secret unchanged, and encodes any other as documented', () => {
    const standard = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    expect(standardWebhooksSecret(standard)).toBe(standard);
    expect(standardWebhooksSecret('my-secret')).toBe('whsec_bXktc2VjcmV0');
  });

  it('signs with both secrets during a rotation, the current one first', () => {
    const headers = signWebhook({ ...WEBHOOK, secrets: ['new', 'old'] });
    new Webhook(standardWebhooksSecret('new')).verify(BODY, headers);
    new Webhook(standardWebhooksSecret('old')).verify(BODY, headers);
    const [first] = (headers['webhook-signature'] as string).split(' ');
    expect(first).toBe(signWebhook({ ...WEBHOOK, secrets: ['new'] })['webhook-signature']);
  });

  it.each([
    ['body', { body: `${BODY} ` }],
    ['id', { deliveryId: 'log_2' }],
    ['timestamp', { timestampSeconds: WEBHOOK.timestampSeconds - 1 }],
    ['secret', { secrets: ['other'] as const }],
  ])('fails verification with another %s', (_what, change) => {
    const original = signWebhook({ ...WEBHOOK, secrets: ['my-secret'] });
    const changed = signWebhook({ ...WEBHOOK, secrets: ['my-secret'], ...change });
    const headers = { ...original, 'webhook-signature': changed['webhook-signature'] as string };
    expect(() => new Webhook(standardWebhooksSecret('my-secret')).verify(BODY, headers)).toThrow(
      'No matching',
    );
  });

  it('sends the delivery id and the time of the attempt as headers', () => {
    const headers = signWebhook({ ...WEBHOOK, timestampSeconds: 1_700_000_000, secrets: ['s'] });
    expect(headers).toMatchObject({ 'webhook-id': 'log_1', 'webhook-timestamp': '1700000000' });
  });
});

describe('the compatibility switch', () => {
  const compatibility = { sharedKey: 'deployment-wide' };

  it('signs the body with the deployment-wide key and sends the secret', () => {
    const headers = signWebhook({ ...WEBHOOK, secrets: ['my-secret'], compatibility });
    expect(headers['X-Webhook-Signature']).toBe(
      createHmac('sha256', 'deployment-wide').update(BODY).digest('base64'),
    );
    expect(headers['X-Webhook-Secret']).toBe('my-secret');
  });

  it("omits the secret's header by default", () => {
    expect(signWebhook({ ...WEBHOOK, secrets: ['my-secret'] })).not.toHaveProperty('X-Webhook-Secret');
  });

  it.each(['linha\nquebrada', 'João', ' led by a space', ''])(
    'leaves out the header for %j, which no header can carry',
    (secret) => {
      const headers = signWebhook({ ...WEBHOOK, secrets: [secret], compatibility });
      expect(headers).not.toHaveProperty('X-Webhook-Secret');
    },
  );

  it('appends the secret to the URL and leaves the rest of the query as it was', () => {
    expect(withWebhookSecret(new URL('https://a.com/h'), 'a&b=c d').href).toBe(
      'https://a.com/h?webhookSecret=a%26b%3Dc%20d',
    );
    expect(withWebhookSecret(new URL('https://a.com/h?x=a%20b+c'), 's').href).toBe(
      'https://a.com/h?x=a%20b+c&webhookSecret=s',
    );
  });
});

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
