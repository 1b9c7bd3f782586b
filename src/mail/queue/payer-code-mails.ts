import { statement } from '../../database/statement.ts';
import type { CustomerId, StoreId } from '../../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

/** A sign-in to the customer portal whose code is to be mailed. The code is minted when it is sent. */
export interface PayerCodeMail {
  readonly tokenHash: string;
  readonly storeId: StoreId;
  readonly customerId: CustomerId;
  readonly emailHash: string;
  /** The address that is to replace the customer's; null for a sign-in. */
  readonly newEmail: string | null;
  readonly language: string;
  readonly expiresAt: Date;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Like receipts: takes some due mails, which no other process then takes until their next attempt. */
export const TAKE_PAYER_CODE_MAILS = statement<{ now: Date; limit: number }, PayerCodeMail>(
  'take mails of portal codes',
  () => `
  update payer_sign_ins set ${COUNT_ATTEMPT}
  where token_hash in (
    select token_hash from payer_sign_ins where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning token_hash as "tokenHash", store_id as "storeId", customer_id as "customerId", email_hash as "emailHash", new_email as "newEmail", language,
    expires_at as "expiresAt", attempts`,
);

/** Stores the hashes of the codes that are about to be sent. Returns no row if the sign-in was used meanwhile. */
export const KEEP_PAYER_CODE = statement<
  { tokenHash: string; codeHash: string; newEmailCodeHash: string | null },
  object
>(
  'keep a code of the portal',
  () => `
  update payer_sign_ins set code_hash = :codeHash, new_email_code_hash = :newEmailCodeHash where token_hash = :tokenHash and used_at is null returning 1`,
);

/** The mail was sent, was given up, or there is nothing to send. */
export const END_PAYER_CODE_MAIL = statement<{ tokenHash: string }>(
  'end a mail of a portal code',
  () => 'update payer_sign_ins set next_attempt_at = null where token_hash = :tokenHash',
);
