import { OnlineMigration } from './online-migration.ts';

/**
 * The expiry and status that a bank reports for its codes, which may differ from the request; null for existing charges. Also
 * since when an order is kept whose charge may have been stored and then lost by a restore of the database, and when an account
 * was last checked, which reveals such a restore.
 */
export class ExpiryOfCodes extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table charges
        add column if not exists code_expires_at timestamptz,
        add column if not exists code_status text`);
    await this.change('alter table charge_orders add column if not exists kept_since timestamptz');
    await this.change('alter table provider_account_listings add column if not exists looked_at timestamptz');
  }
}
