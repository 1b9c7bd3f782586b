import { encryptsNumbersIn } from '../config.ts';
import { loadPersonalNumbers } from '../database/encryption/data-key.ts';
import type { Database } from '../database/orm.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';
import { secretsKeysOf } from './instance.ts';

/** Postgres' error code undefined_table. */
const NO_TABLE = '42P01';

/**
 * Lets commands read and write personal numbers as the service does. Without the key, only the commands that use a number fail.
 * Before `migrate` creates the table, all numbers are plain text.
 */
export async function loadNumbers(
  database: Database,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    await loadPersonalNumbers(database, new SecretsKeys(secretsKeysOf(env)), encryptsNumbersIn(env));
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== NO_TABLE) throw error;
  }
}
