import { OnlineMigration } from './online-migration.ts';

/** The auditor's index of payments that are being returned (src/recovery/overdue-rows.ts). */
export class PaymentsThatGoBack extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('payments_returning', `payments (created_at, id) where outcome = 'RETURNING'`);
  }
}
