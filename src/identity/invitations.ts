import { MembershipEntity } from '../database/entities/membership.ts';
import { OneTimeLinkEntity } from '../database/entities/one-time-link.ts';
import type { Em } from '../database/orm.ts';
import type { InviteeId, StoreId, UserId } from '../domain/ids.ts';
import { can, type Role } from '../domain/role.ts';
import { inviteeIdOf } from '../ids.ts';
import {
  DROP_INVITATION_MAIL,
  DROP_INVITATION_MAILS_BY,
  type InvitationMail,
  KEEP_INVITATION_MAIL,
} from '../mail/queue/invitation-mails.ts';
import { issueLink } from './one-time-links.ts';
import { lockUser } from './users.ts';

/** Who may join a store, with which role, and who invited them. */
export interface Invitation {
  readonly userId: UserId;
  readonly storeId: StoreId;
  readonly role: Role;
  /**
   * Null for the command line, and for invitations older than this column. Such invitations stay valid whatever role their
   * creator has.
   */
  readonly inviterId: UserId | null;
}

/** Creates an invitation link and ends earlier invitations to this store. @returns the link's path, which is stored nowhere. */
export async function inviteByLink(em: Em, invitation: Invitation, now: Date): Promise<string> {
  await revokeInvitations(em, invitation.storeId, invitation.userId);
  return issueLink(em, { kind: 'INVITE', ...invitation }, now);
}

/** Names an invitation in its mail. The account's id would show when the account was created. */
export function invitationIdOf(mail: Pick<InvitationMail, 'storeId' | 'userId' | 'createdAt'>): string {
  return `${inviteeIdOf(mail.storeId, mail.userId)}.${mail.createdAt.getTime()}`;
}

/** Queues an invitation that a worker mails within seconds, and ends earlier invitations to this store. */
export async function inviteByMail(em: Em, mail: Omit<InvitationMail, 'attempts'>): Promise<void> {
  await revokeInvitations(em, mail.storeId, mail.userId);
  await KEEP_INVITATION_MAIL(em, { mail });
}

/**
 * Ends all invitations of an email address to a store, for any of its accounts: links, and mails not sent yet. Call it in the
 * transaction that makes them void. Lock order: the store's memberships first, if they are locked too.
 * @returns whether there was an invitation.
 */
export async function revokeInvitations(em: Em, storeId: StoreId, userId: UserId): Promise<boolean> {
  const userIds = await lockUser(em, userId);
  let mails = 0;
  for (const id of userIds) mails += (await DROP_INVITATION_MAIL(em, { storeId, userId: id })).length;
  const open = { kind: 'INVITE', storeId, userId: { $in: userIds }, usedAt: null } as const;
  return (await em.nativeDelete(OneTimeLinkEntity, open)) + mails > 0;
}

/**
 * Ends all invitations that a person has made for a store. In the same transaction they lose the right to invite, or recover
 * their account. Mails are deleted first: a mailer that is creating a link locks its mail, so the link exists by the time links
 * are deleted.
 */
export async function revokeInvitationsBy(em: Em, storeId: StoreId, inviterId: UserId): Promise<void> {
  await DROP_INVITATION_MAILS_BY(em, { storeId, inviterId });
  await em.nativeDelete(OneTimeLinkEntity, { kind: 'INVITE', storeId, inviterId, usedAt: null });
}

/** Whether the inviter may still invite people; otherwise the invitation is void. */
export async function isStillBacked(
  em: Em,
  { storeId, inviterId }: Pick<Invitation, 'storeId' | 'inviterId'>,
): Promise<boolean> {
  if (inviterId === null) return true;
  const where = { storeId, userId: inviterId };
  const inviter = await em.findOne(MembershipEntity, where, { disableIdentityMap: true });
  return inviter !== null && can(inviter.role, 'team');
}

/** The page of the team lists them all. */
const MOST_PENDING = 200;

/** A store has as many pending invitations as it may have. */
export class TooManyInvitations extends Error {
  constructor() {
    super(`a store may have ${MOST_PENDING} pending invitations`);
    this.name = 'TooManyInvitations';
  }
}

/**
 * Locks the number of a store's invitations until the transaction ends.
 * @throws TooManyInvitations if there is no room for another person. A person who is invited already may be invited again.
 */
export async function holdInvitation(
  em: Em,
  { storeId, userId }: Pick<Invitation, 'storeId' | 'userId'>,
  now: Date,
): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', {
    key: `invitations/${storeId}`,
  });
  const [others] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from (
       select user_id from invitation_mails where store_id = :storeId
       union
       select user_id from one_time_links
       where store_id = :storeId and kind = 'INVITE' and used_at is null and expires_at > :now
     ) pending where user_id <> :userId`,
    { storeId, userId, now },
  );
  if ((others?.count ?? 0) >= MOST_PENDING) throw new TooManyInvitations();
}

/** An invitation that was not accepted yet. */
export interface PendingInvitation {
  /** The person's id for the store, which may see no other before they join. */
  readonly inviteeId: InviteeId;
  readonly userId: UserId;
  readonly email: string;
  readonly role: Role;
  /** Null for the command line, and for invitations older than this column. */
  readonly inviterEmail: string | null;
  /** The inviter's current role in the store; null if they have none, or no inviter is known. */
  readonly inviterRole: Role | null;
  readonly createdAt: Date;
  /** Null until it is mailed. */
  readonly expiresAt: Date | null;
  /** The mail could not be delivered. */
  readonly isGivenUp: boolean;
}

/** A store's pending invitations, one per person, the newest last. */
export async function pendingInvitations(em: Em, storeId: StoreId, now: Date): Promise<PendingInvitation[]> {
  const rows = await em.execute<Omit<PendingInvitation, 'inviteeId'>[]>(
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
  return rows.map((row) => ({ ...row, inviteeId: inviteeIdOf(storeId, row.userId) }));
}
