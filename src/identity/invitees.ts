import { InviteeEntity } from '../database/entities/invitee.ts';
import { MembershipEntity } from '../database/entities/membership.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import type { InviteeId, StoreId, UserId } from '../domain/ids.ts';
import { inviteeIdOf } from '../ids.ts';

/**
 * The subject of an audit line about an invitation. The store knows the account's id only once the person is a member: an id
 * older than the invitation would show that the address already has an account.
 */
export async function invitationSubject(
  em: Em,
  storeId: StoreId,
  userId: UserId,
): Promise<UserId | InviteeId> {
  if ((await em.count(MembershipEntity, { storeId, userId })) > 0) return userId;
  const id = inviteeIdOf(storeId, userId);
  await insertNew(em, InviteeEntity, { id, storeId, userId });
  return id;
}
