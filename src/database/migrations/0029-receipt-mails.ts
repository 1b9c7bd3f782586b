import { OnlineMigration } from './online-migration.ts';

/**
 * Receipts that payers are to be mailed: a row for each payment that was begun by somebody who left an address, due once
 * it is paid, and gone once it is sent. Payments of before are mailed to nobody.
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
