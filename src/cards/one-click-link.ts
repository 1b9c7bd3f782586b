import { hash } from 'node:crypto';
import type { CheckoutId, SavedCardId } from '../domain/ids.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';

/** A link that lets one payer pay one checkout with one saved card. The merchant gives it to a customer who is signed in. */
export interface OneClick {
  readonly checkoutId: CheckoutId;
  readonly savedCardId: SavedCardId;
  /** By real time. */
  readonly expiresAt: Date;
}

/** Long enough to look at the order, short enough for a link that should go straight to its payer. */
export const ONE_CLICK_MINUTES = 15;

/** The link works for one checkout only. */
const ownerOf = (checkoutId: string) => `one-click of ${checkoutId}`;

/**
 * The secret part of a link, which nobody can read or make without the service's key.
 * @returns null without a key.
 */
export function sealOneClick(
  { checkoutId, savedCardId, expiresAt }: OneClick,
  keys: SecretsKeys,
): string | null {
  const { secret, secretKeyId } = keys.encrypt(`${expiresAt.getTime()} ${savedCardId}`, ownerOf(checkoutId));
  return secretKeyId === null
    ? null
    : `${secretKeyId}.${Buffer.from(secret, 'base64').toString('base64url')}`;
}

/** The one spelling that {@link sealOneClick} gives a link. Another one would be another submission, and so another charge. */
const SPELLING = /^([0-9a-f]{8})\.([\w-]+)$/;

/** Opens a link; null if it is forged, spelled otherwise, expired or of another checkout. @param now real time. */
export function openOneClick(
  text: string,
  checkoutId: CheckoutId,
  keys: SecretsKeys,
  now: Date,
): OneClick | null {
  const [, secretKeyId, sealed = ''] = SPELLING.exec(text) ?? [];
  const bytes = Buffer.from(sealed, 'base64url');
  // Some last characters of base64url decode to the same bytes.
  if (secretKeyId === undefined || bytes.toString('base64url') !== sealed) return null;
  try {
    const secret = bytes.toString('base64');
    const [expiry, savedCardId] = keys.decrypt({ secret, secretKeyId }, ownerOf(checkoutId)).split(' ');
    const expiresAt = new Date(Number(expiry));
    if (savedCardId === undefined || !(expiresAt > now)) return null;
    return { checkoutId, savedCardId: savedCardId as SavedCardId, expiresAt };
  } catch {
    return null;
  }
}

/** The same link is the same submission, so it makes one charge at most, however often it is used. */
export function submissionKeyOf(text: string): string {
  return `one-click ${hash('sha256', text).slice(0, 40)}`;
}
