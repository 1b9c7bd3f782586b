import { createKey, endKey, keysOf } from '../api/keys/api-keys.ts';
import type { ApiKey } from '../database/entities/api-key.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ApiKeyId, StoreId } from '../domain/ids.ts';
import { PERMISSIONS, type Permission } from '../domain/permission.ts';
import { label, UsageError } from './usage-error.ts';

export interface NewKey {
  readonly storeId: string;
  readonly devMode: boolean;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

/**
 * Makes an API key. Its text is in the result and nowhere else: only the hash is stored.
 *
 * @throws UsageError when there is no such store.
 */
export async function issueKey(em: Em, given: NewKey, now: Date): Promise<{ key: ApiKey; keyText: string }> {
  const { id: storeId } = await requireStore(em, given.storeId);
  return createKey(em, { ...given, storeId, description: label('--description', given.description) }, now);
}

/**
 * A store's keys, oldest first, the revoked ones too.
 *
 * @throws UsageError when there is no such store.
 */
export async function listKeys(em: Em, storeId: string): Promise<ApiKey[]> {
  const store = await requireStore(em, storeId);
  return keysOf(em, { storeId: store.id });
}

async function requireStore(em: Em, storeId: string): Promise<Store> {
  const store = await em.findOne(StoreEntity, { id: storeId as StoreId });
  if (store === null) throw new UsageError(`--store: there is no store ${storeId}; see "stores list"`);
  return store;
}

/**
 * From now on requests with the key are refused. Revoking it again changes nothing.
 *
 * @throws UsageError when there is no such key.
 */
export async function revokeKey(em: Em, keyId: string, now: Date): Promise<ApiKey> {
  const key = await endKey(em, keyId as ApiKeyId, {}, now);
  if (key === null) throw new UsageError(`there is no key ${keyId}; see "keys list"`);
  return key;
}

/**
 * Reads `all`, or permissions separated by commas.
 *
 * @throws UsageError that names what is not a permission.
 */
export function parsePermissions(text: string): Permission[] {
  if (text === 'all') return [...PERMISSIONS];
  const names = [...new Set(text.split(',').map((name) => name.trim().toUpperCase()))];
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `--permissions: ${unknown.join(', ')}: must be "all" or some of ${PERMISSIONS.join(', ')}`,
    );
  }
  return names.filter(isPermission);
}

function isPermission(name: string): name is Permission {
  return (PERMISSIONS as readonly string[]).includes(name);
}
