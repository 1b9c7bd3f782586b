import { createHmac, timingSafeEqual } from 'node:crypto';

/** A delivery as it arrived. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes of the body. JSON that was parsed and written again does not verify. */
  readonly rawBody: Uint8Array;
}

/** The difference that Standard Webhooks allows between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = 'whsec_';

/**
 * Whether the webhook's secret signed the delivery at most five minutes ago (standardwebhooks.com). The time is signed
 * too, so a delivery that somebody recorded cannot be sent again later.
 * @param secret `whsec_` and base64, as the trigger makes it. @param nowSeconds since 1970.
 */
export function isGenuine({ headers, rawBody }: Delivery, secret: string, nowSeconds: number): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (!secret.startsWith(SECRET_PREFIX) || key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  return signatures.split(' ').some((signature) => isSame(signature, expected));
}

function isSame(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false;
  const received = Buffer.from(signature.slice('v1,'.length), 'base64');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
