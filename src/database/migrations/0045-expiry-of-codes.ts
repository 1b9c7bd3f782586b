import { OnlineMigration } from './online-migration.ts';

/**
 * What a bank says of its codes, beside what was asked of it; null for the charges that are there. Orders of charges that
 * may have been stored and lost with a restore, and when an account was last looked at, from which a restore shows.
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
