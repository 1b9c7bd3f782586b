import { OnlineMigration } from './online-migration.ts';

/** Finds the few invoices of open cycles among all others, for the auditor. */
export class OpenInvoices extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('invoices_open', "invoices (installment_id) where status = 'OPEN'");
  }
}
