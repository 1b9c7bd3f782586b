import { OnlineMigration } from './online-migration.ts';

/** Finds the audit line of an API key's request when it is tried again. Lines of earlier releases have no submission. */
export class AuditLinesOfRequests extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'audit_lines_key_submission',
      `audit_lines (store_id, submission) where actor_kind = 'API_KEY' and submission is not null`,
    );
  }
}
