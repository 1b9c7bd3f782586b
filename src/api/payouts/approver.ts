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

const ACTORS = statement<{ actorId: ApiKeyId | UserId }, { id: ApiKeyId | UserId }>(
  'find who acts with a key',
  () => `
  with recursive chain as (
    select id, store_id, creator_id from api_keys where id = :actorId
    union
    select old.id, old.store_id, old.creator_id from api_keys old
    join chain on old.store_id = chain.store_id and old.replaced_by_id = chain.id)
  select id from chain union select creator_id from chain where creator_id is not null`,
);

/**
 * Whether one person or program may be behind both: they are one person or key, or a key that replaces the other one or was
 * created by the same person. Someone who holds a key may also hold the keys that it replaces.
 */
export async function isSameActor(
  em: Em,
  one: ApiKeyId | UserId,
  other: ApiKeyId | UserId,
): Promise<boolean> {
  const actors = await actorsBehind(em, one);
  return (await actorsBehind(em, other)).some((actor) => actors.includes(actor));
}

/** A key, those that it replaces, and the people who created or rotated them; a person is only themselves. */
async function actorsBehind(em: Em, actorId: ApiKeyId | UserId): Promise<(ApiKeyId | UserId)[]> {
  const found = await ACTORS(em, { actorId });
  return found.length === 0 ? [actorId] : found.map(({ id }) => id);
}
