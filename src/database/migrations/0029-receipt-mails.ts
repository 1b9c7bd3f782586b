import { OnlineMigration } from './online-migration.ts';

/**
 * Receipts to mail to payers: a row for each payment whose payer left an e-mail address. It is due once the payment is paid, and
 * deleted once the mail is sent. Existing payments get no receipt.
 */
export class ReceiptMails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists receipt_mails (
         charge_id text primary key references charges (id),
         language text not null,
         due_at timestamptz,
         attempts int not null default 0,
         next_attempt_at timestamptz not null default '-infinity'
       )`,
    );
    await this.index('receipt_mails_due', 'receipt_mails (next_attempt_at) where due_at is not null');
  }
}
