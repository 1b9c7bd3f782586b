import { randomBytes } from 'node:crypto';
import { hashOfKey } from '../api/frame/caller.ts';
import { type ApiKey, ApiKeyEntity } from '../database/entities/api-key.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { ApiKeyId, StoreId } from '../domain/ids.ts';
import { PERMISSIONS, type Permission } from '../domain/permission.ts';
import { mintId } from '../ids.ts';
import { label, UsageError } from './usage-error.ts';

/** 256 random bits, in 43 characters of base64url (contract section 2). */
const KEY_BYTES = 32;

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
  const store = await requireStore(em, given.storeId);
  const environment = given.devMode ? 'dev' : 'prod';
  const keyText = `abc_${environment}_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const key: ApiKey = {
    id: mintId<ApiKeyId>('apiKey', now),
    storeId: store.id,
    devMode: given.devMode,
    hash: hashOfKey(keyText),
    lastFour: keyText.slice(-4),
    description: label('--description', given.description),
    permissions: [...given.permissions],
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await em.insert(ApiKeyEntity, key);
  return { key, keyText };
}

/**
 * A store's keys, oldest first, the revoked ones too.
 *
 * @throws UsageError when there is no such store.
 */
export async function listKeys(em: Em, storeId: string): Promise<ApiKey[]> {
  const store = await requireStore(em, storeId);
  return em.find(ApiKeyEntity, { storeId: store.id }, { orderBy: { createdAt: 'asc', id: 'asc' } });
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
  const id = keyId as ApiKeyId;
  await em.nativeUpdate(ApiKeyEntity, { id, revokedAt: null }, { revokedAt: now });
  const key = await em.findOne(ApiKeyEntity, { id });
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
