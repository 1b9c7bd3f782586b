import { OnlineMigration } from './online-migration.ts';

/** Whether paid invoices are mailed, and those that wait for it. No store has asked for it before. */
export class InvoiceMails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table billing_settings add column if not exists mails_invoices boolean not null default false;
      create table if not exists invoice_mails (
        invoice_id text primary key references invoices (id),
        attempts int not null default 0,
        next_attempt_at timestamptz not null default '-infinity'
      );`);
    await this.index('invoice_mails_due', 'invoice_mails (next_attempt_at)');
  }
}
