import { OnlineMigration } from './online-migration.ts';

/**
 * Which lines of the audit log are to be mailed, and to whom. Lines that are there are mailed to nobody. No foreign key
 * leads to the lines: the audit log stands by itself.
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
