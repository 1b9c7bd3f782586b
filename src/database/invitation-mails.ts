import type { StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';
import { statement } from './statement.ts';

/** Somebody who is to be mailed that they may join a store. The link is made when it is mailed: no token waits here. */
export interface InvitationMail {
  readonly userId: UserId;
  readonly storeId: StoreId;
  readonly role: Role;
  /** Who has invited them; null where it was the command line, or before this was kept. */
  readonly inviterId: UserId | null;
  /** What whoever has invited them reads. */
  readonly language: string;
  readonly createdAt: Date;
  /** How often it was tried, this time included. */
  readonly attempts: number;
}

/** In the transaction of the invitation. Invited again, they are mailed again, with the role of then. */
export const KEEP_INVITATION_MAIL = statement<{ mail: Omit<InvitationMail, 'attempts'> }>(
  'keep an invitation mail',
  () => `
  insert into invitation_mails (user_id, store_id, role, inviter_id, language, created_at)
  values (:mail.userId, :mail.storeId, :mail.role, :mail.inviterId, :mail.language, :mail.createdAt)
  on conflict (store_id, user_id) do update set role = excluded.role, inviter_id = excluded.inviter_id,
    language = excluded.language, created_at = excluded.created_at, attempts = 0, next_attempt_at = '-infinity'`,
);

/** As with receipts: some that are due, so that no other process takes them until the next attempt. */
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

/** It was sent, or there is nothing to send; an invitation of since then stays. */
export const END_INVITATION_MAIL = statement<{ mail: Sent }>(
  'end an invitation mail',
  () =>
    'delete from invitation_mails where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt',
);

/** The row stays, for whoever has invited them to see. */
export const GIVE_UP_INVITATION_MAIL = statement<{ mail: Sent }>(
  'give up an invitation mail',
  () => `
  update invitation_mails set next_attempt_at = 'infinity'
  where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt`,
);

/** Whoever it was for is not mailed it any more. Answers with a row where there was one. */
export const DROP_INVITATION_MAIL = statement<{ storeId: StoreId; userId: UserId }, object>(
  'drop an invitation mail',
  () => 'delete from invitation_mails where store_id = :storeId and user_id = :userId returning 1',
);

/** Nobody is mailed what this member of the store has invited to. */
export const DROP_INVITATION_MAILS_BY = statement<{ storeId: StoreId; inviterId: UserId }>(
  'drop the invitation mails of an inviter',
  () => 'delete from invitation_mails where store_id = :storeId and inviter_id = :inviterId',
);

/** Holds the row of a mail that is about to be sent. Answers with none where it was revoked, or there is a later one. */
export const HOLD_INVITATION_MAIL = statement<{ mail: Sent }, object>(
  'hold an invitation mail',
  () => `
  select 1 from invitation_mails
  where user_id = :mail.userId and store_id = :mail.storeId and created_at = :mail.createdAt for update`,
);
