import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/resources.ts';

/** The headers of a delivery: of `fetch`, Node.js, Express, Next.js, … */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The difference that Standard Webhooks allows between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = 'whsec_';

/** Padded base64 of at least one byte. Other text after `whsec_` belongs to a secret that is plain text. */
const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Verifies that a delivery was signed with your webhook's secret, and returns its event.
 *
 * @param rawBody the bytes of the body as they arrived. JSON that was parsed and written again does not verify.
 * @param signature the request's headers, of which the three of Standard Webhooks are used. They also protect
 * against a delivery that is sent again much later. A string is the value of `X-Webhook-Signature`, which does not.
 * @param secret the webhook's secret. While you change it, give both: an array of the new and the previous one.
 * @returns the event. Its name may be one that this release does not know, so ignore names that you do not handle.
 * @throws WebhookVerificationError if no secret signed it, or its time differs by more than five minutes.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  signature: DeliveryHeaders | string,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const secrets = [secret].flat().filter((each) => each !== '');
  if (secrets.length === 0) throw new WebhookVerificationError('The secret is missing');
  const body = bytesOf(rawBody);
  const isGenuine =
    typeof signature === 'string'
      ? await isSigned(body, [signature], secrets.map(utf8))
      : await isStandard(body, signature, secrets.map(standardKey));
  if (!isGenuine)
    throw new WebhookVerificationError('No signature of the delivery was made with this secret');
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
}

/** Standard Webhooks signs `id.timestamp.body` (standardwebhooks.com). */
async function isStandard(body: Bytes, headers: DeliveryHeaders, keys: readonly Bytes[]): Promise<boolean> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS)
    throw new WebhookVerificationError(
      `webhook-timestamp differs by more than ${TOLERANCE_SECONDS} seconds from this machine's clock`,
    );
  const v1 = signatures.flatMap((each) => (each.startsWith('v1,') ? [each.slice('v1,'.length)] : []));
  return isSigned(joined(utf8(`${id}.${timestamp}.`), body), v1, keys);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  signed: Bytes,
  signatures: readonly string[],
  keys: readonly Bytes[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (!BASE64.test(signature)) continue;
      if (await crypto.subtle.verify('HMAC', imported, fromBase64(signature), signed)) return true;
    }
  }
  return false;
}

function standardKey(secret: string): Bytes {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  return BASE64.test(encoded) ? fromBase64(encoded) : utf8(secret);
}

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name);
  const [single = '', ...more] = [value ?? []].flat();
  if (single === '' || more.length > 0)
    throw new WebhookVerificationError(`The header ${name} is missing or repeated`);
  return single;
}

/** Frameworks that keep headers in plain objects do not agree on upper case. */
function fieldOf(headers: Exclude<DeliveryHeaders, Headers>, name: string) {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Bytes {
  return typeof body === 'string' ? utf8(body) : new Uint8Array(body);
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text) as Bytes;
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function joined(one: Bytes, other: Bytes): Bytes {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
