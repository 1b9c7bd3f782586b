import { hash, randomInt } from 'node:crypto';
import { personalNumbersOf } from '../database/encryption/sealed-text.ts';
import { RecoveryCodeEntity } from '../database/entities/recovery-code.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { UserId } from '../domain/ids.ts';

const COUNT = 10;
/** 10 characters from an alphabet of 32 are 50 bits: the limit on sign-ins makes guessing hopeless. */
const CHARS = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Whether a code has the length of a recovery code, which no other code has. */
export function isRecoveryCode(code: string): boolean {
  return code.length === CHARS;
}

/** Gives a person new codes in place of all earlier ones. @returns the codes, which are stored as hashes only. */
export async function replaceRecoveryCodes(em: Em, userId: UserId): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await endRecoveryCodes(em, userId);
  const rows = codes.map((code) => ({ userId, codeHash: storedHashOf(em, code), usedAt: null }));
  await em.insertMany(RecoveryCodeEntity, rows);
  return codes;
}

export async function endRecoveryCodes(em: Em, userId: UserId): Promise<void> {
  await em.nativeDelete(RecoveryCodeEntity, { userId });
}

/** Uses a code up. @returns false if it is wrong or used; of two requests that race one succeeds. */
export async function takeRecoveryCode(em: Em, userId: UserId, code: string, now: Date): Promise<boolean> {
  const codeHash = { $in: personalNumbersOf(em).fingerprints(plainHashOf(code)) };
  return (
    (await em.nativeUpdate(RecoveryCodeEntity, { userId, codeHash, usedAt: null }, { usedAt: now })) === 1
  );
}

const BATCH = 200;

const READ_UNKEYED = statement<{ limit: number }, { codeHash: string }>(
  'read recovery codes without a key',
  () =>
    `select code_hash as "codeHash" from recovery_codes where code_hash ~ '^[0-9a-f]{64}$' limit :limit::int`,
);

const KEY = statement<{ before: readonly string[]; after: readonly string[] }>(
  'key recovery codes',
  () => `
  update recovery_codes code set code_hash = keyed.after
  from unnest(:before::text[], :after::text[]) as keyed (before, after) where code.code_hash = keyed.before`,
);

/** Replaces hashes of earlier releases, which have no key. Safe to run again, and while the service runs. */
export async function keyRecoveryCodes(em: Em): Promise<void> {
  const numbers = personalNumbersOf(em);
  while (numbers.encrypts) {
    const rows = await READ_UNKEYED(em, { limit: BATCH });
    if (rows.length === 0) return;
    const before = rows.map(({ codeHash }) => codeHash);
    await KEY(em, { before, after: before.map((each) => numbers.fingerprint(each)) });
  }
}

function newCode(): string {
  return Array.from({ length: CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** With the key of personal numbers, which stays if SECRETS_KEY is rotated: 50 bits could be found from a hash without a key. */
function storedHashOf(em: Em, code: string): string {
  return personalNumbersOf(em).fingerprint(plainHashOf(code));
}

function plainHashOf(code: string): string {
  return hash('sha256', code, 'hex');
}
