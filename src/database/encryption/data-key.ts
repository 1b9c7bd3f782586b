import { randomBytes } from 'node:crypto';
import { DATA_KEY_BYTES } from '../../secrets/data-key.ts';
import { PersonalNumbers } from '../../secrets/personal-numbers.ts';
import type { KeptSecret, SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { Database } from '../orm.ts';
import { statement } from '../statement.ts';
import { keepNumbers } from './sealed-text.ts';

/** The row of the data key of personal numbers; its encryption is bound to this name. */
export const PERSONAL_NUMBERS_KEY = 'personal-numbers';

const FIND = statement<{ id: string }, KeptSecret>(
  'find a data key',
  () => 'select secret, secret_key_id as "secretKeyId" from data_keys where id = :id',
);

const MAKE = statement<KeptSecret & { id: string; now: Date }>(
  'make a data key',
  () => `
  insert into data_keys (id, secret, secret_key_id, created_at) values (:id, :secret, :secretKeyId, :now)
  on conflict do nothing`,
);

/** Records that numbers may be stored as text again. */
const NOTE_TEXT = statement<{ id: string }>(
  'note that personal numbers stay text',
  () => 'update data_keys set all_sealed_at = null where id = :id and all_sealed_at is not null',
);

/**
 * Loads how this database stores personal numbers, for all users of this connection pool. The first process with a
 * SECRETS_KEY creates the data key: of several at once, one creates it and all use it.
 *
 * The data key is random and never changes; SECRETS_KEY encrypts only the data key. So a rotation of SECRETS_KEY
 * changes one row, processes with the old and the new key read and search the same values, and hashes stay unique
 * (decision 12).
 *
 * @param encrypts false while processes of a release without encrypted numbers run.
 * @returns with {@link PersonalNumbers.requireReadable} throwing if SECRETS_KEY lacks the required key.
 */
export async function loadPersonalNumbers(
  database: Database,
  keys: SecretsKeys,
  encrypts: boolean,
): Promise<PersonalNumbers> {
  const id = PERSONAL_NUMBERS_KEY;
  if (keys.currentId !== null && (await FIND(database, { id })).length === 0)
    await MAKE(database, { id, ...newKey(keys), now: new Date() });
  if (!encrypts) await NOTE_TEXT(database, { id });
  const [kept] = await FIND(database, { id });
  const numbers = kept === undefined ? PersonalNumbers.asText : numbersWith(kept, keys, encrypts);
  keepNumbers(database, numbers);
  return numbers;
}

function newKey(keys: SecretsKeys): KeptSecret {
  return keys.encrypt(randomBytes(DATA_KEY_BYTES).toString('base64'), PERSONAL_NUMBERS_KEY);
}

function numbersWith(kept: KeptSecret, keys: SecretsKeys, encrypts: boolean): PersonalNumbers {
  try {
    const bytes = Buffer.from(keys.decrypt(kept, PERSONAL_NUMBERS_KEY), 'base64');
    return PersonalNumbers.withKey(bytes, encrypts);
  } catch (error) {
    return PersonalNumbers.locked(error instanceof Error ? error.message : String(error));
  }
}
