import { personalNumbersOf } from '../../database/encryption/sealed-text.ts';
import type { Database, Em } from '../../database/orm.ts';
import { openNumber } from '../../secrets/personal-numbers.ts';

const COLUMN = 'idempotency_records.body';

/** Response fields with a whole CPF, CNPJ or PIX key. Masked values have too few digits to match. */
const NUMBER = /"(taxId|key)":"((?:[^"\\*]|\\.)+)"/g;

/** A text that {@link sealedAnswer} may have put in place of a number. */
const SEALED = /"(pn1\.[0-9a-f]{8}\.[A-Za-z0-9+/]+={0,2})"/g;

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
 * Restores the response as sent to the client. A client's own text that only looks encrypted stays unchanged.
 */
export function openedAnswer(kept: string): string {
  return kept.replace(SEALED, (whole, sealed: string) => {
    try {
      return `"${openNumber(sealed, COLUMN)}"`;
    } catch {
      return whole;
    }
  });
}
