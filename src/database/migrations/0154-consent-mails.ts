import { OnlineMigration } from './online-migration.ts';

/** Whether requests to authorize debits are mailed, and those that wait for it. No store has asked for it before. */
export class ConsentMails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table billing_settings add column if not exists mails_consents boolean not null default false;
      create table if not exists consent_mails (
        mandate_id text primary key references mandates (id),
        attempts int not null default 0,
        next_attempt_at timestamptz not null default '-infinity'
      );`);
    await this.index('consent_mails_due', 'consent_mails (next_attempt_at)');
  }
}
