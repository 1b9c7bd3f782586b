import { randomBytes } from 'node:crypto';
import type { AuditDetails } from '../../database/audit/record-action.ts';
import { type ApiKey, ApiKeyEntity } from '../../database/entities/api-key.ts';
import type { Em } from '../../database/orm.ts';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import { isReading, type Permission } from '../../domain/permission.ts';
import { mintId } from '../../ids.ts';
import { hashOfKey } from '../frame/caller.ts';
import { isExpired, type KeyLimits } from '../frame/usable-key.ts';

/** 256 random bits, in 43 characters of base64url (contract section 2). */
const KEY_BYTES = 32;

/** A store's keys of one environment, or of both. */
export interface KeysOf {
  readonly storeId: StoreId;
  readonly devMode?: boolean;
}

export interface GivenKey extends Required<KeysOf>, Partial<KeyLimits> {
  readonly description: string;
  /** Of a read-only key those that allow to change something are left out. */
  readonly permissions: readonly Permission[];
  readonly readOnly?: boolean;
  /** Who makes it in the dashboard; left out on the command line. */
  readonly creatorId?: UserId;
}

/** Makes an API key. Its text is in the result and nowhere else: only the hash is stored. */
export async function createKey(
  em: Em,
  given: GivenKey,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly keyText: string }> {
  const { storeId, devMode, description, permissions, creatorId = null, readOnly = false } = given;
  const { expiresAt = null, allowedNetworks = null } = given;
  const keyText = `abc_${devMode ? 'dev' : 'prod'}_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const key: ApiKey = {
    id: mintId<ApiKeyId>('apiKey', now),
    storeId,
    devMode,
    hash: hashOfKey(keyText),
    lastFour: keyText.slice(-4),
    description,
    permissions: readOnly ? permissions.filter(isReading) : [...permissions],
    readOnly,
    expiresAt,
    allowedNetworks: networksOf(allowedNetworks),
    creatorId,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    refusedAt: null,
    refusedFrom: null,
  };
  await em.insert(ApiKeyEntity, key);
  return { key, keyText };
}

/** Keys, oldest first, the revoked ones too. */
export function keysOf(em: Em, owner: KeysOf): Promise<ApiKey[]> {
  return em.find(
    ApiKeyEntity,
    { ...owner },
    { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true },
  ) as Promise<ApiKey[]>;
}

/** A key of an owner; null if it has no such key. */
export async function findKey(em: Em, id: ApiKeyId, owner: Partial<KeysOf>): Promise<ApiKey | null> {
  return (await em.findOne(ApiKeyEntity, { ...owner, id }, { disableIdentityMap: true })) as ApiKey | null;
}

/**
 * From now on requests with the key are refused. Revoking it again changes nothing.
 * @param owner whose key it must be. @returns null where there is none.
 */
export async function endKey(
  em: Em,
  id: ApiKeyId,
  owner: Partial<KeysOf>,
  now: Date,
): Promise<ApiKey | null> {
  await em.nativeUpdate(ApiKeyEntity, { ...owner, id, revokedAt: null }, { revokedAt: now });
  return findKey(em, id, owner);
}

/** A key that is neither revoked nor expired: only such a key can be changed, so none comes back. */
export function isServing(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt === null && !isExpired(key, now);
}

/**
 * Changes until when, and from where, a key may be used, from its next request on. What is left out stays.
 * @param owner whose key it must be. @returns null if there is no such key, or none that is still serving.
 */
export async function limitKey(
  em: Em,
  id: ApiKeyId,
  owner: Partial<KeysOf>,
  { expiresAt, allowedNetworks }: Partial<KeyLimits>,
  now: Date,
): Promise<ApiKey | null> {
  const serving = { ...owner, id, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const changed = await em.nativeUpdate(ApiKeyEntity, serving, {
    ...(expiresAt !== undefined && { expiresAt }),
    ...(allowedNetworks !== undefined && { allowedNetworks: networksOf(allowedNetworks) }),
  });
  return changed === 0 ? null : findKey(em, id, owner);
}

/** What a line of the audit log says of a key's limits. */
export function limitDetails({
  readOnly,
  expiresAt,
  allowedNetworks,
}: KeyLimits & Pick<ApiKey, 'readOnly'>): AuditDetails {
  return { readOnly, expiresAt: expiresAt?.toISOString() ?? null, allowedNetworks };
}

/** No network at all would be a key that serves nobody; the database refuses it. */
function networksOf(networks: readonly string[] | null): string[] | null {
  return networks === null ? null : [...networks];
}
