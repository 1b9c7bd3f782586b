import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import type { Database, Em } from '../../database/orm.ts';
import { openNumber } from '../../secrets/personal-numbers.ts';

const COLUMN = 'idempotency_records.body';

/** Response fields with a whole CPF, CNPJ or PIX key. Masked values have too few digits to match. */
const NUMBER = /"(taxId|key)":"((?:[^"\\*]|\\.)+)"/g;

/**
 * What {@link sealedAnswer} puts in place of a number. It encrypts whatever is in such a field, so a client's own text that is encrypted is
 * encrypted twice, and stays. In another field it could be a number of another store, which the client has from a copy of the database.
 */
const SEALED = /"(taxId|key)":"(pn1\.[0-9a-f]{8}\.[A-Za-z0-9+/]+={0,2})"/g;

/**
 * A response for storage, with its personal numbers encrypted. Everything else stays unchanged, so that ids
 * in it can be searched. @param body JSON text as sent to the client.
 */
export function sealedAnswer(on: Em | Database, body: string): string {
  const numbers = personalNumbersOf(on);
  if (!numbers.encrypts) return body;
  return body.replace(NUMBER, (_, name: string, text: string) => `"${name}":"${numbers.seal(text, COLUMN)}"`);
}

/**
 * Restores the response as sent to the client. A client's own text that is encrypted, or looks so, stays unchanged.
 */
export function openedAnswer(kept: string): string {
  return kept.replace(SEALED, (whole, name: string, sealed: string) => {
    try {
      return `"${name}":"${openNumber(sealed, COLUMN)}"`;
    } catch {
      return whole;
    }
  });
}
