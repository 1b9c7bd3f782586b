import { createHmac } from 'node:crypto';

export interface WebhookToSign {
  /** The event's id for this endpoint (`log_…`), the same for every retry. */
  readonly deliveryId: string;
  /** The exact bytes of the request body; a string means its UTF-8 bytes. */
  readonly body: Uint8Array | string;
  /** The endpoint's secret and, during a rotation, the previous one. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  /**
   * The time of this attempt in seconds since 1970. Receivers refuse a difference of more than five minutes.
   */
  readonly timestampSeconds: number;
  /** Set if the deployment serves clients of API v1 (contract section 7, "Compatibility switch"). */
  readonly compatibility?: { readonly sharedKey: string };
}

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';

/** Padded base64 of at least one byte, the only form that every Standard Webhooks library accepts. */
const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Text that an HTTP header carries unchanged: visible ASCII, with spaces only inside (RFC 9110, section 5.5).
 */
const HEADER_SAFE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * The signature headers of one delivery attempt (contract section 7, "Delivery").
 *
 * - `X-Webhook-Signature`: base64 HMAC-SHA256 of the body, keyed with the text of the current secret. With
 * `compatibility` it is keyed with the deployment-wide key, and `X-Webhook-Secret` carries the secret if a
 * header can.
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: Standard Webhooks. Signs `id.timestamp.body`,
 * with one `v1,…` per secret, the current one first. The key is the one in {@link standardWebhooksSecret}.
 */
export function signWebhook(webhook: WebhookToSign): Record<string, string> {
  const { deliveryId, body, secrets, timestampSeconds, compatibility } = webhook;
  const [secret] = secrets;
  const signed = `${deliveryId}.${timestampSeconds}.`;
  const signatures = secrets.map((each) => `v1,${hmacBase64(standardWebhooksKey(each), signed, body)}`);
  const sendsSecret = compatibility !== undefined && HEADER_SAFE.test(secret);
  return {
    'X-Webhook-Signature': hmacBase64(compatibility?.sharedKey ?? secret, body),
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    ...(sendsSecret && { 'X-Webhook-Secret': secret }),
  };
}

/**
 * The text a receiver gives to a Standard Webhooks library for a webhook's secret.
 *
 * A secret that is already `whsec_` and base64 stays unchanged. For any other secret, its UTF-8 bytes are the
 * key, and the result is `whsec_` followed by their base64.
 *
 * @example
 * standardWebhooksSecret('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'); // the same
 * standardWebhooksSecret('my-secret'); // 'whsec_bXktc2VjcmV0'
 * new Webhook('whsec_bXktc2VjcmV0').verify(rawBody, request.headers); // package standardwebhooks
 */
export function standardWebhooksSecret(secret: string): string {
  const encoded = secret.startsWith(STANDARD_WEBHOOKS_PREFIX)
    ? secret.slice(STANDARD_WEBHOOKS_PREFIX.length)
    : '';
  return BASE64.test(encoded)
    ? secret
    : `${STANDARD_WEBHOOKS_PREFIX}${Buffer.from(secret).toString('base64')}`;
}

/**
 * The URL to post to if the compatibility switch is on: the endpoint with `webhookSecret=…` appended to its
 * otherwise unchanged query (contract section 7). Never log it.
 */
export function withWebhookSecret(endpoint: URL, secret: string): URL {
  const url = new URL(endpoint);
  url.search += `${url.search === '' ? '?' : '&'}webhookSecret=${encodeURIComponent(secret)}`;
  return url;
}

function standardWebhooksKey(secret: string): Buffer {
  return Buffer.from(standardWebhooksSecret(secret).slice(STANDARD_WEBHOOKS_PREFIX.length), 'base64');
}

function hmacBase64(key: string | Buffer, ...parts: readonly (Uint8Array | string)[]): string {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest('base64');
}
