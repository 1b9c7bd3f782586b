import type { Em } from '../../database/orm.ts';
import type { StoreId, WebhookId } from '../../domain/ids.ts';
import { isWeakSecretLength } from '../../domain/webhook-secret.ts';
import { keptSecretBytes } from '../../secrets/secrets-keys.ts';

/** A webhook whose secret is too short. */
export interface WeakSecret {
  readonly webhookId: WebhookId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly bytes: number;
}

/** A strong secret is longer than this in its stored form. */
const LONGEST_KEPT_CHARACTERS = 64;

/** At most this many are listed of all stores. A store has at most twice as many. */
const MOST = 100;

interface Row {
  readonly webhookId: WebhookId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly secret: string;
  readonly secretKeyId: string | null;
}

/**
 * Webhooks with a weak secret, not deleted: those of production, then those of dev mode, the oldest first. Judges by stored length, so it
 * decrypts no secret.
 * @param storeId limits the result to one store; all stores by default.
 */
export async function weakWebhookSecrets(em: Em, storeId: StoreId | null = null): Promise<WeakSecret[]> {
  const rows = await em.execute<Row[]>(
    `select id as "webhookId", store_id as "storeId", dev_mode as "devMode", secret, secret_key_id as "secretKeyId"
     from webhooks
     where deleted_at is null and length(secret) <= :characters ${storeId === null ? '' : 'and store_id = :storeId'}
     order by dev_mode, created_at, id`,
    { characters: LONGEST_KEPT_CHARACTERS, ...(storeId !== null && { storeId }) },
  );
  const weak = rows
    .map(({ secret, secretKeyId, ...row }) => ({ ...row, bytes: keptSecretBytes({ secret, secretKeyId }) }))
    .filter(({ bytes }) => isWeakSecretLength(bytes));
  return storeId === null ? weak.slice(0, MOST) : weak;
}
