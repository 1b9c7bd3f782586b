import { statement } from '../../database/statement.ts';
import type { MandateId } from '../../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

/** A request to authorize debits that will be mailed to its payer. */
export interface ConsentMail {
  readonly mandateId: MandateId;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Runs in the transaction that stores the request, if the store mails them. */
export const KEEP_CONSENT_MAIL = statement<{ mandateId: MandateId }>(
  'keep a mail of a request to authorize debits',
  () => `
  insert into consent_mails (mandate_id)
  select id from mandates join billing_settings using (store_id, dev_mode) where id = :mandateId and mails_consents`,
);

/** Takes some due mails, as for receipts. */
export const TAKE_CONSENT_MAILS = statement<{ now: Date; limit: number }, ConsentMail>(
  'take mails of requests to authorize debits',
  () => `
  update consent_mails set ${COUNT_ATTEMPT}
  where mandate_id in (
    select mandate_id from consent_mails where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning mandate_id as "mandateId", attempts`,
);

/** The mail was sent, or there is nothing to send. */
export const END_CONSENT_MAIL = statement<{ mandateId: MandateId }>(
  'end a mail of a request to authorize debits',
  () => 'delete from consent_mails where mandate_id = :mandateId',
);

/** The row stays, so that operators find it. */
export const GIVE_UP_CONSENT_MAIL = statement<{ mandateId: MandateId }>(
  'give up a mail of a request to authorize debits',
  () => `update consent_mails set next_attempt_at = 'infinity' where mandate_id = :mandateId`,
);
