import { hash, verify } from '@node-rs/argon2';

/** What OWASP names first for argon2id: 19 MiB and two passes, which take some 20 ms (Password Storage Cheat Sheet). */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** NIST SP 800-63B asks for 8 where there may be a second factor, and for 15 where there is none; this is between. */
export const LEAST_PASSWORD_LENGTH = 12;
/** So that nobody has the service hash megabytes. */
export const MOST_PASSWORD_LENGTH = 256;

/** A hash of no password, which takes as long to compare as any. */
const NOBODYS = hash('', ARGON2ID);

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), ARGON2ID);
}

/** Takes the same time where there is no hash to compare with. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (password.length > MOST_PASSWORD_LENGTH) return false;
  const isRight = await verify(passwordHash ?? (await NOBODYS), password.normalize('NFC'));
  return isRight && passwordHash !== null;
}

/** Whether it may be somebody's password: long enough, and neither their address nor one character again and again. */
export function isGoodPassword(password: string, email: string): boolean {
  const isLong = password.length >= LEAST_PASSWORD_LENGTH && password.length <= MOST_PASSWORD_LENGTH;
  return isLong && new Set(password).size > 3 && password.toLowerCase() !== email;
}
