import type { ChargeId } from '../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';
import { statement } from './statement.ts';

/** A receipt whose payer is to be mailed it. */
export interface ReceiptMail {
  readonly chargeId: ChargeId;
  /** What its payer reads, as the page knew it. */
  readonly language: string;
  /** How often it was tried, this time included. */
  readonly attempts: number;
}

/**
 * For a charge that is being stored, in its transaction. It is due once the charge is paid: by the statement that
 * accepts the payment.
 */
export const KEEP_RECEIPT_MAIL = statement<{ chargeId: ChargeId; language: string }>(
  'keep a receipt mail',
  () => 'insert into receipt_mails (charge_id, language) values (:chargeId, :language)',
);

/**
 * Takes some that are due, so that no other process does until the next attempt, which comes later each time. A process
 * that dies leaves them to that.
 */
export const TAKE_RECEIPT_MAILS = statement<{ now: Date; limit: number }, ReceiptMail>(
  'take receipt mails',
  () => `
  update receipt_mails set ${COUNT_ATTEMPT}
  where charge_id in (
    select charge_id from receipt_mails
    where due_at is not null and next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning charge_id as "chargeId", language, attempts`,
);

/** It was sent, or there is nothing to send. */
export const END_RECEIPT_MAIL = statement<{ chargeId: ChargeId }>(
  'end a receipt mail',
  () => 'delete from receipt_mails where charge_id = :chargeId',
);

/** The row stays, for who looks for it. */
export const GIVE_UP_RECEIPT_MAIL = statement<{ chargeId: ChargeId }>(
  'give up a receipt mail',
  () => `update receipt_mails set next_attempt_at = 'infinity' where charge_id = :chargeId`,
);
