import { randomBytes } from 'node:crypto';
import { type ApiKey, ApiKeyEntity } from '../../database/entities/api-key.ts';
import type { Em } from '../../database/orm.ts';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permission.ts';
import { mintId } from '../../ids.ts';
import { hashOfKey } from '../frame/caller.ts';

/** 256 random bits, in 43 characters of base64url (contract section 2). */
const KEY_BYTES = 32;

/** A store's keys of one environment, or of both. */
export interface KeysOf {
  readonly storeId: StoreId;
  readonly devMode?: boolean;
}

export interface GivenKey extends Required<KeysOf> {
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** Who makes it in the dashboard; left out on the command line. */
  readonly creatorId?: UserId;
}

/** Makes an API key. Its text is in the result and nowhere else: only the hash is stored. */
export async function createKey(
  em: Em,
  { storeId, devMode, description, permissions, creatorId }: GivenKey,
  now: Date,
): Promise<{ readonly key: ApiKey; readonly keyText: string }> {
  const keyText = `abc_${devMode ? 'dev' : 'prod'}_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const key: ApiKey = {
    id: mintId<ApiKeyId>('apiKey', now),
    storeId,
    devMode,
    hash: hashOfKey(keyText),
    lastFour: keyText.slice(-4),
    description,
    permissions: [...permissions],
    creatorId: creatorId ?? null,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
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
  return (await em.findOne(ApiKeyEntity, { ...owner, id }, { disableIdentityMap: true })) as ApiKey | null;
}
