import { PortalEmails } from './0171-portal-emails.ts';
import { OnlineMigration } from './online-migration.ts';

/**
 * Migrations 0039, 0119, 0136, 0137 and 0171 were changed within hours of their first commit. A database that ran the first form of
 * one gets what the final form creates. Nothing changes in others.
 */
export class FirstForms extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table refunds drop constraint if exists refunds_initiated_by;
      alter table reminder_settings alter column steps type json using steps::json;
      alter table sandbox_debits alter column retry_dates drop default;
      alter table mandates add column if not exists asked_at timestamptz;
      update mandates set asked_at = created_at where asked_at is null;
      alter table mandates alter column asked_at set not null`);
    await this.index('mandates_open', `mandates (asked_at, id) where status in ('PENDING', 'ACTIVE')`);
    // It can be run again.
    await new PortalEmails(this.driver, this.config).up();
  }
}
