/**
 * Someone with one signed delivery can guess a shorter webhook secret. These are 128 bits if the bytes are random. RFC 2104
 * section 3 recommends at least the length of the hash, 256 bits.
 */
export const FEWEST_GOOD_SECRET_BYTES = 16;

/** What would be right, for every place that warns. */
export const GOOD_SECRET = 'use 32 random characters, such as `openssl rand -base64 24` gives';

/** Whether a secret is too short to keep others from signing. Any length is accepted, as the API sets no minimum. */
export function isWeakSecretLength(bytes: number): boolean {
  return bytes < FEWEST_GOOD_SECRET_BYTES;
}
