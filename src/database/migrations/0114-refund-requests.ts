import { OnlineMigration } from './online-migration.ts';

/** Whether payers may ask for a refund in the customer portal. No store has allowed it before. */
export class RefundRequests extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table portal_settings add column if not exists asks_for_refunds boolean not null default false;',
    );
  }
}
