import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB and two passes, which take about 20 ms (Password Storage Cheat Sheet). */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * NIST SP 800-63B requires 8 characters with a second factor and 15 without one. This is in between, because it is optional here.
 */
export const LEAST_PASSWORD_LENGTH = 12;
/** Limits the work of hashing a submitted password. */
export const MOST_PASSWORD_LENGTH = 256;

/** The hash of an empty password, used so that the comparison takes equally long for unknown users. */
const NOBODYS = hash('', ARGON2ID);

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), ARGON2ID);
}

/** Takes the same time if there is no hash to compare with. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MOST_PASSWORD_LENGTH) return false;
  const isRight = await verify(passwordHash ?? (await NOBODYS), password.normalize('NFC'));
  return isRight && passwordHash !== null;
}

/** Whether a password is acceptable: long enough, not the email address, and not one repeated character. */
export function isGoodPassword(password: string, email: string): boolean {
  const isLong = password.length >= LEAST_PASSWORD_LENGTH && password.length <= MOST_PASSWORD_LENGTH;
  return isLong && new Set(password).size > 3 && password.toLowerCase() !== email;
}
