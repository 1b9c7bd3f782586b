import { statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

/** A receipt that will be mailed to its payer. */
export interface ReceiptMail {
  readonly chargeId: ChargeId;
  /** The payer's language on the page. */
  readonly language: string;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Runs in the transaction that stores the charge. The statement that accepts the payment makes the mail due. */
export const KEEP_RECEIPT_MAIL = statement<{ chargeId: ChargeId; language: string }>(
  'keep a receipt mail',
  () => 'insert into receipt_mails (charge_id, language) values (:chargeId, :language)',
);

/**
 * Takes some due mails, which no other process then takes until their next attempt, with growing pauses. If a
 * process dies, that attempt follows.
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

/** The mail was sent, or there is nothing to send. */
export const END_RECEIPT_MAIL = statement<{ chargeId: ChargeId }>(
  'end a receipt mail',
  () => 'delete from receipt_mails where charge_id = :chargeId',
);

/** The row stays, so that operators find it. */
export const GIVE_UP_RECEIPT_MAIL = statement<{ chargeId: ChargeId }>(
  'give up a receipt mail',
  () => `update receipt_mails set next_attempt_at = 'infinity' where charge_id = :chargeId`,
);
