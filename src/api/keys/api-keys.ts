import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/core';
import type { AuditDetails } from '../../audit-log/record-action.ts';
import { type ApiKey, ApiKeyEntity } from '../../database/entities/api-key.ts';
import type { Em } from '../../database/orm.ts';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import { isReading, type Permission } from '../../domain/permission.ts';
import { mintId } from '../../ids.ts';
import { hashOfKey, PUBLIC_PREFIX } from './caller.ts';
import { isExpired, type KeyLimits } from './usable-key.ts';

export type { ApiKey };

/** 256 random bits, in 43 characters of base64url (contract section 2). */
const KEY_BYTES = 32;

/** The owner of keys: a store, in one environment or both. */
export interface KeysOf {
  readonly storeId: StoreId;
  readonly devMode?: boolean;
}

export interface GivenKey extends Required<KeysOf>, Partial<KeyLimits> {
  readonly description: string;
  /** For a read-only key, permissions that allow changes are left out. */
  readonly permissions: readonly Permission[];
  readonly readOnly?: boolean;
  /** A key for browsers, which may only exchange cards for tokens. It has no permissions. */
  readonly isPublic?: boolean;
  /** The creator in the dashboard; absent for keys created on the command line. */
  readonly creatorId?: UserId;
}

/** Creates an API key. Only the result contains its text: the database stores only its hash, unless the key is public. */
export async function createKey(
  em: Em,
  given: GivenKey,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly keyText: string }> {
  const {
    storeId,
    devMode,
    description,
    permissions,
    creatorId = null,
    readOnly = false,
    isPublic = false,
  } = given;
  const { expiresAt = null, allowedNetworks = null } = given;
  const prefix = isPublic ? PUBLIC_PREFIX : 'abc_';
  const keyText = `${prefix}${devMode ? 'dev' : 'prod'}_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const key: ApiKey = {
    id: mintId<ApiKeyId>('apiKey', now),
    storeId,
    devMode,
    hash: hashOfKey(keyText),
    lastFour: keyText.slice(-4),
    publicText: isPublic ? keyText : null,
    description,
    permissions: isPublic ? [] : readOnly ? permissions.filter(isReading) : [...permissions],
    readOnly,
    expiresAt,
    allowedNetworks: networksOf(allowedNetworks),
    creatorId,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    refusedAt: null,
    refusedFrom: null,
    replacedById: null,
  };
  await em.insert(ApiKeyEntity, key);
  return { key, keyText };
}

/** All keys, oldest first, including revoked ones. */
export function keysOf(em: Em, owner: KeysOf): Promise<ApiKey[]> {
  return em.find(
    ApiKeyEntity,
    { ...owner },
    { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true },
  ) as Promise<ApiKey[]>;
}

/** A key of an owner; null if it does not exist. */
export async function findKey(em: Em, id: ApiKeyId, owner: Partial<KeysOf>): Promise<ApiKey | null> {
  return (await em.findOne(ApiKeyEntity, { ...owner, id }, { disableIdentityMap: true })) as ApiKey | null;
}

/**
 * Revokes a key; requests with it are refused from now on. Repeating it has no effect.
 * @param owner the key's expected owner. @returns null if there is no such key.
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

/**
 * Whether a key is neither revoked nor expired. Only such a key can be changed, so an ended key never becomes
 * valid again.
 */
export function isServing(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt === null && !isExpired(key, now);
}

/** A key with its new limits. */
export interface LimitedKey {
  readonly key: ApiKey;
  /** False if it had these limits before. */
  readonly isChanged: boolean;
}

/**
 * Changes a key's expiry and networks, from its next request on. Omitted limits stay unchanged.
 * @param em in a transaction, which locks the key. @param owner the key's expected owner.
 * @returns null if there is no such key, or it has ended.
 */
export async function limitKey(
  em: Em,
  id: ApiKeyId,
  owner: Partial<KeysOf>,
  { expiresAt, allowedNetworks }: Partial<KeyLimits>,
  now: Date,
): Promise<LimitedKey | null> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const key = (await em.findOne(ApiKeyEntity, { ...owner, id }, locked)) as ApiKey | null;
  if (key === null || !isServing(key, now)) return null;
  const limited: ApiKey = {
    ...key,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(allowedNetworks !== undefined && { allowedNetworks: networksOf(allowedNetworks) }),
  };
  if (isDeepStrictEqual(limited, { ...key })) return { key, isChanged: false };
  const { expiresAt: newExpiresAt, allowedNetworks: newNetworks } = limited;
  await em.nativeUpdate(ApiKeyEntity, { id }, { expiresAt: newExpiresAt, allowedNetworks: newNetworks });
  return { key: limited, isChanged: true };
}

/** A key's limits for the audit log. */
export function limitDetails({
  readOnly,
  expiresAt,
  allowedNetworks,
}: KeyLimits & Pick<ApiKey, 'readOnly'>): AuditDetails {
  return { readOnly, expiresAt: expiresAt?.toISOString() ?? null, allowedNetworks };
}

/** Copies the networks. The database refuses an empty list, because nobody could use the key. */
function networksOf(networks: readonly string[] | null): string[] | null {
  return networks === null ? null : [...networks];
}
