import { personalNumbersOf } from '../database/encryption/sealed-text.ts';
import type { Database, Em } from '../database/orm.ts';
import type { NumberOwner } from '../secrets/personal-numbers.ts';

/** What payouts to one PIX key are found by (`payeeKeyOf`); null for the store's own account, and without a key to hash with. */
export function payeeHashOf(on: Em | Database, owner: NumberOwner, payeeKey: string | null): string | null {
  return payeeKey === null ? null : personalNumbersOf(on).hash(payeeKey, 'pix key', owner);
}
