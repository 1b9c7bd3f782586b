import type { WebhookId } from '../domain/ids.ts';
import type { KeptSecret, SecretsKeys } from '../secrets/secrets-keys.ts';
import type { Em } from './orm.ts';

/** So many rows are looked at, and held in memory, at a time. */
const BATCH = 200;

export interface Reencrypted {
  /** Secrets that are encrypted with the current key now, and were not before. */
  readonly count: number;
  /** Webhooks whose secret no key that is there can read. They stay as they are. */
  readonly unreadable: readonly WebhookId[];
}

interface Row extends KeptSecret {
  readonly id: WebhookId;
}

/**
 * Encrypts every secret with the current key: those that were kept as text, and those of keys before. Safe to
 * run again, twice at once, and while the service runs: a row is changed only where it is still what was read.
 */
export async function reencryptSecrets(em: Em, keys: SecretsKeys): Promise<Reencrypted> {
  let count = 0;
  const unreadable: WebhookId[] = [];
  for (let after = ''; ; ) {
    const rows = await em.execute<Row[]>(
      `select id, secret, secret_key_id as "secretKeyId" from webhooks
       where id > :after and secret_key_id is distinct from :currentId order by id limit :batch`,
      { after, currentId: keys.currentId, batch: BATCH },
    );
    for (const row of rows) {
      const plain = plainOf(row, keys);
      if (plain === null) unreadable.push(row.id);
      else if (await replace(em, row, keys.encrypt(plain, row.id))) count += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return { count, unreadable };
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

async function replace(em: Em, { id, secret, secretKeyId }: Row, kept: KeptSecret): Promise<boolean> {
  const changed = await em.execute<unknown[]>(
    `update webhooks set secret = :newSecret, secret_key_id = :newKeyId
     where id = :id and secret = :secret and secret_key_id is not distinct from :secretKeyId returning 1`,
    { id, secret, secretKeyId, newSecret: kept.secret, newKeyId: kept.secretKeyId },
  );
  return changed.length > 0;
}
