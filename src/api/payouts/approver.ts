import type { Em } from '../../database/orm.ts';
import type { ApiKeyId, UserId } from '../../domain/ids.ts';
import { can, type Role } from '../../domain/role.ts';
import type { Caller } from '../frame/caller.ts';
import { ApiError } from '../frame/errors.ts';

/**
 * Checks in the deciding transaction that the actor may still decide, and holds that until the commit: a member who is
 * removed or demoted at the same moment, or a key that is revoked, decides before that or not at all.
 * @throws ApiError 403 PERMISSION_DENIED
 */
export async function holdAuthority(em: Em, { actorId, storeId }: Caller): Promise<void> {
  const [member] = await em.execute<{ role: Role }[]>(
    'select role from memberships where user_id = :actorId and store_id = :storeId for share',
    { actorId, storeId },
  );
  if (member !== undefined && can(member.role, 'payout:approve')) return;
  const keys = await em.execute<unknown[]>(
    'select 1 from api_keys where id = :actorId and store_id = :storeId and revoked_at is null for share',
    { actorId, storeId },
  );
  if (keys.length === 0)
    throw new ApiError(403, 'PERMISSION_DENIED', 'Approving and rejecting payouts is not allowed any more');
}

/** The person who acts, or who made the key that acts. A key of the command line stands for itself. */
export async function personBehind(em: Em, actorId: ApiKeyId | UserId): Promise<ApiKeyId | UserId> {
  const [key] = await em.execute<{ creatorId: UserId | null }[]>(
    'select creator_id as "creatorId" from api_keys where id = :actorId',
    { actorId },
  );
  return key?.creatorId ?? actorId;
}
