import { OnlineMigration } from './online-migration.ts';

/** A day's authorizations and debits of an account, which are compared with its bank. */
export class MandatesByTime extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('mandates_of_account', 'mandates (provider, created_at)');
    await this.index('debits_by_time', 'debits (created_at)');
  }
}
