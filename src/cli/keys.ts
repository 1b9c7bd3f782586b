import { createKey, endKey, findKey, keysOf, type LimitedKey, limitKey } from '../api/keys/api-keys.ts';
import { type RotatedKey, type Rotation, rotateKey } from '../api/keys/rotate-key.ts';
import type { KeyLimits } from '../api/keys/usable-key.ts';
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
  readonly isPublic?: boolean;
}

/**
 * Creates an API key. Only its hash is stored, so the result is the only place with its text.
 *
 * @throws UsageError if the store does not exist.
 */
export async function issueKey(em: Em, given: NewKey, now: Date): Promise<{ key: ApiKey; keyText: string }> {
  const { id: storeId } = await requireStore(em, given.storeId);
  return createKey(em, { ...given, storeId, description: label('--description', given.description) }, now);
}

/**
 * A store's keys including revoked ones, oldest first.
 *
 * @throws UsageError if the store does not exist.
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
 * Revokes a key: requests with it are refused immediately. Revoking it again changes nothing.
 *
 * @throws UsageError if the key does not exist.
 */
export async function revokeKey(em: Em, keyId: string, now: Date): Promise<ApiKey> {
  const key = await endKey(em, keyId as ApiKeyId, {}, now);
  if (key === null) throw new UsageError(`there is no key ${keyId}; see "keys list"`);
  return key;
}

/**
 * Changes the expiry and the networks of a key; a limit that is not given stays.
 *
 * @throws UsageError if the key does not exist, was revoked or has expired.
 */
export async function limitServingKey(
  em: Em,
  keyId: string,
  limits: Partial<KeyLimits>,
  now: Date,
): Promise<LimitedKey> {
  const limited = await limitKey(em, keyId as ApiKeyId, {}, limits, now);
  if (limited !== null) return limited;
  if ((await findKey(em, keyId as ApiKeyId, {})) === null)
    throw new UsageError(`there is no key ${keyId}; see "keys list"`);
  throw new UsageError(`${keyId} was revoked or has expired; create another key with "keys create"`);
}

/**
 * Replaces a key. @throws UsageError if the key does not exist, was revoked, has expired or was replaced before.
 */
export async function rotateServingKey(
  em: Em,
  keyId: string,
  rotation: Rotation,
  now: Date,
): Promise<RotatedKey> {
  const rotated = await rotateKey(em, keyId as ApiKeyId, {}, rotation, now);
  if (rotated !== null) return rotated;
  if ((await findKey(em, keyId as ApiKeyId, {})) === null)
    throw new UsageError(`there is no key ${keyId}; see "keys list"`);
  throw new UsageError(
    `${keyId} was revoked, replaced or has expired; create another key with "keys create"`,
  );
}

/**
 * Parses `all`, or permissions separated by commas.
 *
 * @param readOnly whether the key is read-only; `all` then means all read permissions.
 * @throws UsageError that names an unknown permission, or one that a read-only key cannot have.
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
