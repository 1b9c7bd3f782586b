import { MembershipEntity } from '../database/entities/membership.ts';
import { OneTimeLinkEntity } from '../database/entities/one-time-link.ts';
import {
  DROP_INVITATION_MAIL,
  DROP_INVITATION_MAILS_BY,
  type InvitationMail,
  KEEP_INVITATION_MAIL,
} from '../database/invitation-mails.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { can, type Role } from '../domain/role.ts';
import { issueLink } from './links.ts';
import { lockUser } from './users.ts';

/** Who may join a store, as what, and who says so. */
export interface Invitation {
  readonly userId: UserId;
  readonly storeId: StoreId;
  readonly role: Role;
  /** Null for the command line, and for those of before this was kept: they are backed by nobody in particular. */
  readonly inviterId: UserId | null;
}

/** Invites somebody by a link; earlier invitations to this store end. @returns its path, which is nowhere else. */
export async function inviteByLink(em: Em, invitation: Invitation, now: Date): Promise<string> {
  await revokeInvitations(em, invitation.storeId, invitation.userId);
  return issueLink(em, { kind: 'INVITE', ...invitation }, now);
}

/** Has somebody mailed an invitation, by a worker within seconds; earlier invitations to this store end. */
export async function inviteByMail(em: Em, mail: Omit<InvitationMail, 'attempts'>): Promise<void> {
  await revokeInvitations(em, mail.storeId, mail.userId);
  await KEEP_INVITATION_MAIL(em, { mail });
}

/**
 * Ends all invitations of an address to a store: links, and mails that are not sent yet, whichever of its accounts they
 * are for. In the transaction of what makes them void. Who locks the store's memberships as well does so before.
 * @returns whether there was one.
 */
export async function revokeInvitations(em: Em, storeId: StoreId, userId: UserId): Promise<boolean> {
  const userIds = await lockUser(em, userId);
  let mails = 0;
  for (const id of userIds) mails += (await DROP_INVITATION_MAIL(em, { storeId, userId: id })).length;
  const open = { kind: 'INVITE', storeId, userId: { $in: userIds }, usedAt: null } as const;
  return (await em.nativeDelete(OneTimeLinkEntity, open)) + mails > 0;
}

/**
 * Ends all invitations to a store that somebody has made: they lose the right to invite in the same transaction, or
 * recover their account in it. Mails come first: a mailer that is making a link holds its mail, so the link is there by then.
 */
export async function revokeInvitationsBy(em: Em, storeId: StoreId, inviterId: UserId): Promise<void> {
  await DROP_INVITATION_MAILS_BY(em, { storeId, inviterId });
  await em.nativeDelete(OneTimeLinkEntity, { kind: 'INVITE', storeId, inviterId, usedAt: null });
}

/** Whether who has invited somebody may do so still: an invitation is worth no more than that. */
export async function isStillBacked(
  em: Em,
  { storeId, inviterId }: Pick<Invitation, 'storeId' | 'inviterId'>,
): Promise<boolean> {
  if (inviterId === null) return true;
  const where = { storeId, userId: inviterId };
  const inviter = await em.findOne(MembershipEntity, where, { disableIdentityMap: true });
  return inviter !== null && can(inviter.role, 'team');
}

/** An invitation that was not accepted yet. */
export interface PendingInvitation {
  readonly userId: UserId;
  readonly email: string;
  readonly role: Role;
  /** Null where it was the command line, or before this was kept. */
  readonly inviterEmail: string | null;
  /** What the inviter is to the store now; null where nothing, or where there is none. */
  readonly inviterRole: Role | null;
  readonly createdAt: Date;
  /** Null until it is mailed. */
  readonly expiresAt: Date | null;
  /** No mail server takes it. */
  readonly isGivenUp: boolean;
}

/** Those of a store, one for each person, the newest last. */
export function pendingInvitations(em: Em, storeId: StoreId, now: Date): Promise<PendingInvitation[]> {
  return em.execute<PendingInvitation[]>(
    `with pending as (
       select user_id, role, inviter_id, created_at, null::timestamptz as expires_at,
         next_attempt_at = 'infinity' as is_given_up
       from invitation_mails where store_id = :storeId
       union all
       select user_id, role, inviter_id, created_at, expires_at, false from one_time_links
       where store_id = :storeId and kind = 'INVITE' and used_at is null and expires_at > :now
     ), one_each as (
       select distinct on (user_id) * from pending order by user_id, expires_at desc nulls first
     )
     select person.id as "userId", person.email, pending.role, inviter.email as "inviterEmail",
       membership.role as "inviterRole", pending.created_at as "createdAt", pending.expires_at as "expiresAt",
       pending.is_given_up as "isGivenUp"
     from one_each pending join users person on person.id = pending.user_id
       left join users inviter on inviter.id = pending.inviter_id
       left join memberships membership on membership.user_id = inviter.id and membership.store_id = :storeId
     order by pending.created_at, person.id`,
    { storeId, now },
  );
}
