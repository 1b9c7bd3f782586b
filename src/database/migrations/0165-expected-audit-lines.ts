import { OnlineMigration } from './online-migration.ts';

/** Actions that another system may have done, and whose audit line is written once their outcome is known. */
export class ExpectedAuditLines extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists expected_audit_lines (
        form text primary key,
        line json not null,
        created_at timestamptz not null
      );
    `);
  }
}
