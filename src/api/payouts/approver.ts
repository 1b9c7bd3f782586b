import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ApiKeyId, UserId } from '../../domain/ids.ts';
import { can, type Role } from '../../domain/role.ts';
import { ApiError } from '../frame/errors.ts';
import type { Caller, KeyCaller } from '../keys/caller.ts';
import { type KeyLimits, refusalOf } from '../keys/usable-key.ts';

/**
 * Checks in the deciding transaction that the actor may still decide, and locks that permission until the
 * commit. A parallel removal, demotion, revocation or limit either comes after the decision or prevents it.
 * @param now real time. @throws ApiError 403 PERMISSION_DENIED, or the reason why the key is refused
 */
export async function holdAuthority(em: Em, caller: Caller | KeyCaller, now: Date): Promise<void> {
  const { actorId, storeId } = caller;
  const [member] = await em.execute<{ role: Role }[]>(
    'select role from memberships where user_id = :actorId and store_id = :storeId for share',
    { actorId, storeId },
  );
  if (member !== undefined && can(member.role, 'payout:approve')) return;
  const [key] = await HOLD_KEY(em, { actorId, storeId });
  const refusal = key && refusalOf(key, 'address' in caller ? caller.address : null, now);
  if (refusal) throw refusal;
  if (key === undefined)
    throw new ApiError(403, 'PERMISSION_DENIED', 'Approving and rejecting payouts is not allowed any more');
}

const HOLD_KEY = statement<Pick<Caller, 'actorId' | 'storeId'>, KeyLimits>(
  'hold a key',
  () => `
  select expires_at as "expiresAt", allowed_networks as "allowedNetworks" from api_keys
  where id = :actorId and store_id = :storeId and revoked_at is null for share`,
);

/**
 * The person who acts, or who created the acting key. A key created on the command line has no person and
 * counts by itself.
 */
export async function personBehind(em: Em, actorId: ApiKeyId | UserId): Promise<ApiKeyId | UserId> {
  const [key] = await em.execute<{ creatorId: UserId | null }[]>(
    'select creator_id as "creatorId" from api_keys where id = :actorId',
    { actorId },
  );
  return key?.creatorId ?? actorId;
}
