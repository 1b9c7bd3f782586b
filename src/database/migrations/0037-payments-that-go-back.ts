import { OnlineMigration } from './online-migration.ts';

/** What the auditor looks at of payments that go back to their payers (src/recovery/open-rows.ts). */
export class PaymentsThatGoBack extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('payments_returning', `payments (created_at, id) where outcome = 'RETURNING'`);
  }
}
