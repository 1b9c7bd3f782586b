import { OnlineMigration } from './online-migration.ts';

/**
 * How far the payments of each provider account have been listed. Existing accounts start with their creation. Payments at
 * banks are compared by day. Sandbox payments are never compared, so the index omits them.
 */
export class Reconciliation extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists provider_account_listings (
        account_id text primary key references provider_accounts (id),
        listed_until timestamptz,
        days_listed_until timestamptz
      )`);
    await this.index('payments_at_banks', `payments (provider, paid_at) where provider <> 'sandbox'`);
    await this.index('attention_unknown_payments', `attention (subject_id) where kind = 'UNKNOWN_PAYMENT'`);
  }
}
