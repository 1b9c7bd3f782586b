import { statement } from '../../database/statement.ts';
import type { InvoiceId } from '../../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';

/** An invoice that will be mailed. The transaction that publishes it as paid writes it (`src/invoices/issue-invoices.ts`). */
export interface InvoiceMail {
  readonly invoiceId: InvoiceId;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** Takes some due mails, as for receipts. */
export const TAKE_INVOICE_MAILS = statement<{ now: Date; limit: number }, InvoiceMail>(
  'take invoice mails',
  () => `
  update invoice_mails set ${COUNT_ATTEMPT}
  where invoice_id in (
    select invoice_id from invoice_mails where next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked
  )
  returning invoice_id as "invoiceId", attempts`,
);

/** The mail was sent, or there is nothing to send. */
export const END_INVOICE_MAIL = statement<{ invoiceId: InvoiceId }>(
  'end an invoice mail',
  () => 'delete from invoice_mails where invoice_id = :invoiceId',
);

/** The row stays, so that operators find it. */
export const GIVE_UP_INVOICE_MAIL = statement<{ invoiceId: InvoiceId }>(
  'give up an invoice mail',
  () => `update invoice_mails set next_attempt_at = 'infinity' where invoice_id = :invoiceId`,
);
