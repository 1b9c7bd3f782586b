import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { isPostgresAway } from '../database/away.ts';
import { loadPersonalNumbers } from '../database/encryption/data-key.ts';
import type { Database } from '../database/orm.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';

const TRY_AGAIN_MS = 1_000;

/** Postgres' error code for a missing table (undefined_table): `migrate` has not run yet. */
const NO_TABLE = '42P01';

/**
 * Loads the key of personal numbers before a process starts to work, and waits for Postgres and the migration
 * if needed. Without the key, no tax id can be read or searched.
 * @throws Error if SECRETS_KEY lacks the key for the numbers in this database.
 */
export async function personalNumbersWhenUp(
  { secretsKeys, encryptsNumbers }: Pick<Config, 'secretsKeys' | 'encryptsNumbers'>,
  database: Database,
  log: Logger,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const numbers = await loadPersonalNumbers(database, new SecretsKeys(secretsKeys), encryptsNumbers);
      numbers.requireReadable();
      return;
    } catch (error) {
      const isMissing = (error as { readonly code?: unknown }).code === NO_TABLE;
      if (!isMissing && !isPostgresAway(error)) throw error;
      if (isFirst)
        log.warn(
          { err: error },
          isMissing ? 'waiting for the migration of this release' : 'waiting for Postgres',
        );
      await sleep(TRY_AGAIN_MS);
    }
  }
}
