import type { StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { statement } from './statement.ts';

/** Somebody who is to be mailed that they may join a store. The link is made when it is mailed: no token waits here. */
export interface InvitationMail {
  readonly userId: UserId;
  readonly storeId: StoreId;
  readonly role: Role;
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
  insert into invitation_mails (user_id, store_id, role, language, created_at)
  values (:mail.userId, :mail.storeId, :mail.role, :mail.language, :mail.createdAt)
  on conflict (store_id, user_id) do update set role = excluded.role, language = excluded.language,
    created_at = excluded.created_at, attempts = 0, next_attempt_at = '-infinity'`,
);

/** As with receipts: some that are due, so that no other process takes them until the next attempt. */
export const TAKE_INVITATION_MAILS = statement<{ now: Date; limit: number }, InvitationMail>(
  'take invitation mails',
  () => `
  update invitation_mails set attempts = attempts + 1,
    next_attempt_at = :now::timestamptz + interval '5 minutes' * (attempts + 1) * (attempts + 1)
  where (store_id, user_id) in (
    select store_id, user_id from invitation_mails where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning user_id as "userId", store_id as "storeId", role, language, created_at as "createdAt", attempts`,
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

/** An invitation that was not mailed yet. */
export interface UnsentInvitation {
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly isGivenUp: boolean;
}

/** Those of a store. */
export const UNSENT_INVITATIONS = statement<{ storeId: StoreId }, UnsentInvitation>(
  'find unsent invitations',
  () => `
  select email, role, mail.created_at as "createdAt", next_attempt_at = 'infinity' as "isGivenUp"
  from invitation_mails mail join users on users.id = mail.user_id
  where store_id = :storeId order by mail.created_at`,
);
