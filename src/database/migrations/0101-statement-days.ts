import { OnlineMigration } from './online-migration.ts';

/** A day of an account as its provider booked it, read in the reconciliation round. */
export class StatementDays extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists provider_statement_days (
        provider text not null,
        day date not null,
        totals json not null,
        entries integer not null,
        foreign_payments integer not null,
        is_complete boolean not null,
        differences json not null,
        payouts json not null,
        read_at timestamptz not null,
        primary key (provider, day)
      )`);
  }
}
