import { OnlineMigration } from './online-migration.ts';

/** What is known of a provider account: its last test, and whether the provider sends notifications. */
export class AccountTests extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table provider_accounts
        add column if not exists tested_at timestamptz,
        add column if not exists last_test json,
        add column if not exists registered_at timestamptz`);
    // The audit log of earlier releases says which accounts were registered. There are few accounts.
    await this.execute(`
      update provider_accounts account set registered_at = line.at
      from (
        select subject_id, max(created_at) as at from audit_lines
        where action = 'accounts/register' group by subject_id
      ) line
      where line.subject_id = account.id and account.registered_at is null`);
  }
}
