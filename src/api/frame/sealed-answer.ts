import type { Database, Em } from '../../database/orm.ts';
import { personalNumbersOf } from '../../database/sealed-text.ts';
import { openNumber } from '../../secrets/personal-numbers.ts';

const COLUMN = 'idempotency_records.body';

/** The fields of answers that hold a whole CPF or CNPJ, or a PIX key. A masked one is short of digits. */
const NUMBER = /"(taxId|key)":"((?:[^"\\*]|\\.)+)"/g;

/** A text that {@link sealedAnswer} may have put in the place of a number. */
const SEALED = /"(pn1\.[0-9a-f]{8}\.[A-Za-z0-9+/]+={0,2})"/g;

/**
 * An answer as it is kept to be replayed: with its personal numbers encrypted, and otherwise byte for byte, so that ids in
 * it can be searched. @param body JSON text as the client was sent it.
 */
export function sealedAnswer(on: Em | Database, body: string): string {
  const numbers = personalNumbersOf(on);
  if (!numbers.encrypts) return body;
  return body.replace(NUMBER, (_, name: string, text: string) => `"${name}":"${numbers.seal(text, COLUMN)}"`);
}

/** The answer as the client was sent it. A text that only looks encrypted, as a client may send one, stays as it is. */
export function openedAnswer(kept: string): string {
  return kept.replace(SEALED, (whole, sealed: string) => {
    try {
      return `"${openNumber(sealed, COLUMN)}"`;
    } catch {
      return whole;
    }
  });
}
