import { createHash, randomBytes } from 'node:crypto';
import { ID_PREFIX, type IdKind } from './domain/ids.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
/**
 * 16 random characters of 5 bits: 80 bits, as in a ULID, so that ids minted in one millisecond do not meet.
 */
const RANDOM_CHARS = 16;

/**
 * Mints an id: the kind's prefix, then 10 characters of milliseconds and 16 of randomness (a ULID), so that
 * inserts land at the end of their index and ids of one kind sort by creation. Letters and digits only
 * (contract section 1, "Ids").
 */
export function mintId<Id extends string>(kind: IdKind, now: Date): Id {
  return `${ID_PREFIX[kind]}${timePart(now.getTime())}${randomPart()}` as Id;
}

/** What sorts before every id of the kind that is minted from this instant on, and after those minted before it. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}`;
}

/**
 * An id that follows from `seed`: whoever makes it again makes the same, so that a repeated step finds what
 * it made before. The seed must hold what nobody can guess, as the id lets its reader in.
 */
export function derivedId<Id extends string>(kind: IdKind, at: Date, seed: string): Id {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}${derivedPart(seed)}` as Id;
}

/** How long {@link derivedPart} is. */
export const DERIVED_LENGTH = RANDOM_CHARS;

/** The end of a {@link derivedId}, which follows from the seed alone. */
export function derivedPart(seed: string): string {
  return charsOf(createHash('sha256').update(seed).digest().subarray(0, RANDOM_CHARS));
}

function timePart(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(): string {
  return charsOf(randomBytes(RANDOM_CHARS));
}

function charsOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return text;
}
