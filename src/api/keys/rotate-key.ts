import { LockMode } from '@mikro-orm/core';
import type { AuditDetails } from '../../audit-log/record-action.ts';
import { type ApiKey, ApiKeyEntity } from '../../database/entities/api-key.ts';
import type { Em } from '../../database/orm.ts';
import type { ApiKeyId, UserId } from '../../domain/ids.ts';
import { createKey, isServing, type KeysOf } from './api-keys.ts';

/** How a key is replaced. */
export interface Rotation {
  /** How long the old key still works, in milliseconds; 0 revokes it at once. */
  readonly overlapMs: number;
  /** When the new key expires; null: never. Default: after as long as the old one was given. */
  readonly expiresAt?: Date | null;
  /** The person who rotates it in the dashboard. */
  readonly creatorId?: UserId;
}

/** The new key, its text, and the key that it replaces. */
export interface RotatedKey {
  readonly key: ApiKey;
  readonly keyText: string;
  readonly replaced: ApiKey;
}

/** An old key never works longer than this. */
export const MAX_OVERLAP_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Replaces a key by a new one with the same purpose, permissions and networks, in the caller's transaction. The old
 * key ends after the overlap, or at its own expiry if that comes first. A key is replaced once: if two rotations
 * race, one gets null.
 * @param owner the key's expected owner.
 * @returns null if there is no such key, or if it has ended or was replaced before.
 */
export async function rotateKey(
  em: Em,
  id: ApiKeyId,
  owner: Partial<KeysOf>,
  { overlapMs, expiresAt, creatorId }: Rotation,
  now: Date,
): Promise<RotatedKey | null> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const old = (await em.findOne(ApiKeyEntity, { ...owner, id }, held)) as ApiKey | null;
  if (old === null || old.replacedById !== null || !isServing(old, now)) return null;
  const { storeId, devMode, description, permissions, readOnly, allowedNetworks } = old;
  const end = expiresAt === undefined ? sameLifetime(old, now) : expiresAt;
  const isPublic = old.publicText !== null;
  const same = { storeId, devMode, description, permissions, readOnly, allowedNetworks, isPublic };
  const made = await createKey(em, { ...same, expiresAt: end, ...(creatorId && { creatorId }) }, now);
  const change = { replacedById: made.key.id, ...endOf(old, overlapMs, now) };
  await em.nativeUpdate(ApiKeyEntity, { id }, change);
  return { ...made, replaced: { ...old, ...change } };
}

function endOf({ expiresAt }: ApiKey, overlapMs: number, now: Date): Partial<ApiKey> {
  if (overlapMs === 0) return { revokedAt: now };
  const end = new Date(now.getTime() + Math.min(overlapMs, MAX_OVERLAP_MS));
  return { expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end };
}

function sameLifetime({ createdAt, expiresAt }: ApiKey, now: Date): Date | null {
  return expiresAt === null ? null : new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
}

/** A rotation for the audit log, whose line is about the old key. */
export function rotationDetails({ key, replaced }: RotatedKey): AuditDetails {
  const ends = replaced.revokedAt ?? replaced.expiresAt;
  return {
    replacedBy: key.id,
    endsAt: ends?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}
