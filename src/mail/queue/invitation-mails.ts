import { statement } from '../../database/statement.ts';
import type { StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

/** A pending invitation mail. Its link is created when it is sent, so no token is stored here. */
export interface InvitationMail {
  readonly userId: UserId;
  readonly storeId: StoreId;
  readonly role: Role;
  /** The inviting member; null for the command line, and in older rows. */
  readonly inviterId: UserId | null;
  /** The language of the inviting member. */
  readonly language: string;
  readonly createdAt: Date;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Runs in the transaction of the invitation. A repeated invitation is mailed again, with its new role. */
export const KEEP_INVITATION_MAIL = statement<{ mail: Omit<InvitationMail, 'attempts'> }>(
  'keep an invitation mail',
  () => `
  insert into invitation_mails (user_id, store_id, role, inviter_id, language, created_at)
  values (:mail.userId, :mail.storeId, :mail.role, :mail.inviterId, :mail.language, :mail.createdAt)
  on conflict (store_id, user_id) do update set role = excluded.role, inviter_id = excluded.inviter_id,
    language = excluded.language, created_at = excluded.created_at, attempts = 0, next_attempt_at = '-infinity'`,
);

/** Like receipts: takes some due mails, which no other process then takes until their next attempt. */
export const TAKE_INVITATION_MAILS = statement<{ now: Date; limit: number }, InvitationMail>(
  'take invitation mails',
  () => `
  update invitation_mails set ${COUNT_ATTEMPT}
  where (store_id, user_id) in (
    select store_id, user_id from invitation_mails where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning user_id as "userId", store_id as "storeId", role, inviter_id as "inviterId", language, created_at as "createdAt", attempts`,
);

type Sent = Pick<InvitationMail, 'userId' | 'storeId' | 'createdAt'>;

/** The mail was sent, or there is nothing to send; a newer invitation stays. */
export const END_INVITATION_MAIL = statement<{ mail: Sent }>(
  'end an invitation mail',
  () =>
    'delete from invitation_mails where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt',
);

/** The row stays, so that the inviting member sees it. */
export const GIVE_UP_INVITATION_MAIL = statement<{ mail: Sent }>(
  'give up an invitation mail',
  () => `
  update invitation_mails set next_attempt_at = 'infinity'
  where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt`,
);

/** Cancels the mail to this person. Returns a row if there was one. */
export const DROP_INVITATION_MAIL = statement<{ storeId: StoreId; userId: UserId }, object>(
  'drop an invitation mail',
  () => 'delete from invitation_mails where store_id = :storeId and user_id = :userId returning 1',
);

/** Cancels all mails of invitations by this member. */
export const DROP_INVITATION_MAILS_BY = statement<{ storeId: StoreId; inviterId: UserId }>(
  'drop the invitation mails of an inviter',
  () => 'delete from invitation_mails where store_id = :storeId and inviter_id = :inviterId',
);

/** Locks a mail that is about to be sent. Returns no row if it was revoked, or replaced by a newer one. */
export const HOLD_INVITATION_MAIL = statement<{ mail: Sent }, object>(
  'hold an invitation mail',
  () => `
  select 1 from invitation_mails
  where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt for update`,
);
