import { OnlineMigration } from './online-migration.ts';

/**
 * Since when the provider of an account has not answered rounds of reconciliation. For existing accounts it is unknown until
 * their next round. Also an index of certificates by their expiry.
 */
export class ProvidersAway extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table provider_account_listings add column if not exists unanswered_since timestamptz',
    );
    await this.index(
      'provider_accounts_by_certificate_end',
      'provider_accounts (certificate_ends_at) where certificate_ends_at is not null and removed_at is null',
    );
  }
}
