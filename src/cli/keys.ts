import type { KeyLimits } from '../api/frame/usable-key.ts';
import { createKey, endKey, findKey, isServing, keysOf, limitKey } from '../api/keys/api-keys.ts';
import type { ApiKey } from '../database/entities/api-key.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ApiKeyId, StoreId } from '../domain/ids.ts';
import { isReading, PERMISSIONS, type Permission, READING_PERMISSIONS } from '../domain/permission.ts';
import { label, UsageError } from './usage-error.ts';

export interface NewKey extends Partial<KeyLimits> {
  readonly storeId: string;
  readonly devMode: boolean;
  readonly description: string;
  readonly permissions: readonly Permission[];
  readonly readOnly?: boolean;
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
 * Changes until when, and from where, a key may be used; a limit that is not given stays.
 *
 * @throws UsageError if there is no such key, or it was revoked or has expired.
 */
export async function limitServingKey(
  em: Em,
  keyId: string,
  limits: Partial<KeyLimits>,
  now: Date,
): Promise<ApiKey> {
  const key = await findKey(em, keyId as ApiKeyId, {});
  if (key === null) throw new UsageError(`there is no key ${keyId}; see "keys list"`);
  const limited = isServing(key, now) ? await limitKey(em, key.id, {}, limits, now) : null;
  if (limited === null)
    throw new UsageError(`${keyId} was revoked or has expired; create another key with "keys create"`);
  return limited;
}

/**
 * Reads `all`, or permissions separated by commas.
 *
 * @param readOnly whether they are of a read-only key, of which `all` are those that read.
 * @throws UsageError that names what is not a permission, or not one of a read-only key.
 */
export function parsePermissions(text: string, readOnly = false): Permission[] {
  if (text === 'all') return [...(readOnly ? READING_PERMISSIONS : PERMISSIONS)];
  const names = [...new Set(text.split(',').map((name) => name.trim().toUpperCase()))];
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length > 0) {
    throw new UsageError(
      `--permissions: ${unknown.join(', ')}: must be "all" or some of ${PERMISSIONS.join(', ')}`,
    );
  }
  const permissions = names.filter(isPermission);
  const changing = readOnly ? permissions.filter((name) => !isReading(name)) : [];
  if (changing.length > 0) {
    const known = READING_PERMISSIONS.join(', ');
    throw new UsageError(`--permissions: ${changing.join(', ')}: a read-only key has some of ${known} only`);
  }
  return permissions;
}

function isPermission(name: string): name is Permission {
  return (PERMISSIONS as readonly string[]).includes(name);
}
