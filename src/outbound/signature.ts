import { createHmac } from 'node:crypto';

export interface WebhookToSign {
  /** The event's id for this endpoint (`log_…`), the same on every retry. */
  readonly deliveryId: string;
  /** The very bytes that are posted; a string stands for its UTF-8 bytes. */
  readonly body: Uint8Array | string;
  /** The endpoint's secret and, while it is being rotated, the one before it. */
  readonly secrets: readonly [current: string, ...previous: string[]];
  /**
   * When this attempt is made, in seconds since 1970; receivers refuse what is more than five minutes off.
   */
  readonly timestampSeconds: number;
  /**
   * Present where the deployment serves clients of the original service (contract section 7, "Compatibility
   * switch").
   */
  readonly compatibility?: { readonly sharedKey: string };
}

const STANDARD_WEBHOOKS_PREFIX = 'whsec_';

/** Padded base64 of at least one byte, the only form that every Standard Webhooks library decodes. */
const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What an HTTP header can carry unchanged: visible ASCII, spaces only inside (RFC 9110, section 5.5). */
const HEADER_SAFE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * The signature headers of one delivery attempt (contract section 7, "Delivery").
 *
 * - `X-Webhook-Signature`: base64 HMAC-SHA256 of the body, keyed with the current secret's text as it was given (with
 *   `compatibility`: keyed with the deployment-wide key, and `X-Webhook-Secret` carries the secret where a header can).
 * - `webhook-id`, `webhook-timestamp`, `webhook-signature`: Standard Webhooks; `id.timestamp.body` is signed, one `v1,…` per
 *   secret, the current one first. The key is what {@link standardWebhooksSecret} stands for.
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
 * A secret that already is `whsec_` and base64 stays as it is. Of any other, the UTF-8 bytes are the key, so
 * it becomes `whsec_` and their base64:
 *
 * @example standardWebhooksSecret('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'); // the same
 * standardWebhooksSecret('my-secret'); // 'whsec_bXktc2VjcmV0' new
 * Webhook('whsec_bXktc2VjcmV0').verify(rawBody, request.headers); // `Webhook` of the package
 * standardwebhooks
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
 * The URL to post to where the compatibility switch is on: the endpoint with `webhookSecret=…` appended to
 * its query, the rest of which stays as it was written (contract section 7). Never log it.
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
