import { recordAction } from '../../audit-log/record-action.ts';
import type { Database } from '../../database/orm.ts';
import type { KeyActor } from '../../domain/audit-actor.ts';
import { isWithin } from '../../http/networks.ts';
import { ApiError } from '../frame/errors.ts';

/** Until when and from which networks an API key may be used. */
export interface KeyLimits {
  /** The key is refused from this instant; null: it never expires. */
  readonly expiresAt: Date | null;
  /** The networks that the key may be used from; null: any. */
  readonly allowedNetworks: readonly string[] | null;
}

/** Whether a key is expired at an instant. */
export function isExpired({ expiresAt }: Pick<KeyLimits, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * Why a key is refused; null if it is usable.
 * @param address the full client address; null if unknown.
 * @param now real time, never a store's clock.
 */
export function refusalOf(
  limits: KeyLimits,
  address: string | null,
  now: Date,
): ApiError<'KEY_EXPIRED' | 'ADDRESS_NOT_ALLOWED'> | null {
  const { expiresAt, allowedNetworks } = limits;
  if (expiresAt !== null && isExpired(limits, now)) {
    const message = `Authorization: the API key expired at ${expiresAt.toISOString()}; create another one`;
    return new ApiError(401, 'KEY_EXPIRED', message, undefined, { 'WWW-Authenticate': 'Bearer' });
  }
  if (allowedNetworks === null || isWithin(address, allowedNetworks)) return null;
  const from = address ?? 'an unknown address';
  return new ApiError(403, 'ADDRESS_NOT_ALLOWED', `The API key may not be used from ${from}`);
}

/** One audit line an hour per key: at most 24 a day. The service's log has every refusal. */
const NOTED_AGAIN_MS = 3_600_000;

/**
 * Records in the audit log that a key was used from a network that is not allowed: once an hour per key,
 * across all processes.
 * @param actor with the shortened address.
 */
export async function noteRefusedUse(
  database: Database,
  actor: KeyActor,
  { devMode, refusedAt }: { readonly devMode: boolean; readonly refusedAt: Date | null },
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - NOTED_AGAIN_MS);
  if (refusedAt !== null && refusedAt > before) return;
  const { keyId, address } = actor;
  await database.em.fork().transactional(async (em) => {
    const noted = await em.execute<unknown[]>(
      `update api_keys set refused_at = :now, refused_from = :address
       where id = :keyId and (refused_at is null or refused_at <= :before) returning 1`,
      { now, address, keyId, before },
    );
    if (noted.length === 0) return;
    await recordAction(em, actor, { action: 'keys/refused', subjectId: keyId, devMode, now });
  });
}
