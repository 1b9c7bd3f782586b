import { encryptsNumbersIn } from '../config.ts';
import { loadPersonalNumbers } from '../database/data-key.ts';
import type { Database } from '../database/orm.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';
import { secretsKeysOf } from './instance.ts';

/** Postgres' code of a table that is not there (undefined_table). */
const NO_TABLE = '42P01';

/**
 * Has commands read and write personal numbers as the service does. Without the key they need, only those commands fail
 * that use one. Before `migrate` has made the table, all numbers are text.
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
