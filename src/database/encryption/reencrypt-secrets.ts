import type { ProviderAccountId, UserId, WebhookId } from '../../domain/ids.ts';
import type { KeptSecret, SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { Em } from '../orm.ts';
import type { PERSONAL_NUMBERS_KEY } from './data-key.ts';

/** Rows read and held in memory at a time. */
const BATCH = 200;

export interface Reencrypted {
  /** Secrets that this run encrypted with the current key. */
  readonly count: number;
  /** Rows with a secret that no available key can read. They stay unchanged. */
  readonly unreadable: readonly Row['id'][];
}

/**
 * The columns of secrets and their key ids: webhooks, users' second factors, provider accounts, and the key of
 * personal numbers.
 */
const KINDS = [
  { table: 'webhooks', secret: 'secret', keyId: 'secret_key_id' },
  { table: 'webhooks', secret: 'previous_secret', keyId: 'previous_secret_key_id' },
  { table: 'users', secret: 'totp_secret', keyId: 'totp_secret_key_id' },
  { table: 'provider_accounts', secret: 'secret', keyId: 'secret_key_id' },
  { table: 'data_keys', secret: 'secret', keyId: 'secret_key_id' },
] as const;
type Kind = (typeof KINDS)[number];

interface Row extends KeptSecret {
  readonly id: WebhookId | UserId | ProviderAccountId | typeof PERSONAL_NUMBERS_KEY;
}

/**
 * Encrypts every secret with the current key: those stored as text, and those of previous keys. Previous webhook
 * secrets that no longer sign are deleted. Safe to repeat, to run twice at once, and while the service runs: a row
 * changes only if it is still as it was read.
 */
export async function reencryptSecrets(em: Em, keys: SecretsKeys): Promise<Reencrypted> {
  await em.execute(
    `update webhooks set previous_secret = null, previous_secret_key_id = null, previous_secret_until = null
     where previous_secret_until <= now()`,
    {},
    'run',
  );
  let count = 0;
  const unreadable = new Set<Row['id']>();
  for (const kind of KINDS) count += await reencryptKind(em, keys, kind, unreadable);
  return { count, unreadable: [...unreadable] };
}

/** @param unreadable gets those that cannot be read. @returns how many are encrypted now. */
async function reencryptKind(
  em: Em,
  keys: SecretsKeys,
  kind: Kind,
  unreadable: Set<Row['id']>,
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await em.execute<Row[]>(
      `select id, ${kind.secret} as secret, ${kind.keyId} as "secretKeyId" from ${kind.table}
       where id > :after and ${kind.secret} is not null and ${kind.keyId} is distinct from :currentId order by id limit :batch`,
      { after, currentId: keys.currentId, batch: BATCH },
    );
    for (const row of rows) {
      const plain = plainOf(row, keys);
      if (plain === null) unreadable.add(row.id);
      else if (await replace(em, kind, row, keys.encrypt(plain, row.id))) count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}

function plainOf(row: Row, keys: SecretsKeys): string | null {
  try {
    return keys.decrypt(row, row.id);
  } catch {
    return null;
  }
}

async function replace(
  em: Em,
  kind: Kind,
  { id, secret, secretKeyId }: Row,
  kept: KeptSecret,
): Promise<boolean> {
  const changed = await em.execute<unknown[]>(
    `update ${kind.table} set ${kind.secret} = :newSecret, ${kind.keyId} = :newKeyId
     where id = :id and ${kind.secret} = :secret and ${kind.keyId} is not distinct from :secretKeyId returning 1`,
    { id, secret, secretKeyId, newSecret: kept.secret, newKeyId: kept.secretKeyId },
  );
  return changed.length > 0;
}
