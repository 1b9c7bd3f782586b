import { OnlineMigration } from './online-migration.ts';

/**
 * Lines of the audit log to mail, and their recipients. Existing lines are mailed to no one. No foreign key refers to the
 * lines, so that the audit log depends on no other table.
 */
export class NoticesToOwners extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists notice_mails (
        line_id text not null,
        user_id text not null references users (id),
        created_at timestamptz not null,
        attempts int not null default 0,
        next_attempt_at timestamptz not null default '-infinity',
        primary key (line_id, user_id)
      )`);
    await this.index('notice_mails_due', 'notice_mails (next_attempt_at)');
    await this.index('notice_mails_by_age', 'notice_mails (created_at)');
  }
}
