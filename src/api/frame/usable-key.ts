import { recordAction } from '../../database/audit/record-action.ts';
import type { Database } from '../../database/orm.ts';
import type { KeyActor } from '../../domain/audit-actor.ts';
import { isWithin } from '../../traffic/networks.ts';
import { ApiError } from './errors.ts';

/** Until when, and from where, an API key may be used. */
export interface KeyLimits {
  /** From this instant on it is refused; null: never. */
  readonly expiresAt: Date | null;
  /** The only networks it may be used from; null: from anywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** Whether a key is expired at an instant. */
export function isExpired({ expiresAt }: Pick<KeyLimits, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * Why a key may not be used; null if it may.
 * @param address where from, as a whole address; null if that is not known.
 * @param now real time, never that of a store's clock.
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

/** Someone who tries all day leaves 24 lines in the audit log; every refusal is in the service's own log. */
const NOTED_AGAIN_MS = 3_600_000;

/**
 * Notes that a key was refused because of where it was used from, with a line in the audit log: once an hour and key, over
 * all processes.
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
