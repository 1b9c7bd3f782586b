import { OnlineMigration } from './online-migration.ts';

/**
 * Which clients read events, by event name; an index of closed attention rows in the order of their deletion; and invitations
 * to mail.
 */
export class ReadersAndInvitations extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists event_readers (
        event_name text not null,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        read_at timestamptz not null,
        primary key (event_name, store_id, dev_mode)
      );
      create table if not exists invitation_mails (
        user_id text not null references users (id),
        store_id text not null references stores (id),
        role text not null,
        language text not null,
        created_at timestamptz not null,
        attempts int not null default 0,
        next_attempt_at timestamptz not null default '-infinity',
        primary key (store_id, user_id)
      )`);
    await this.index(
      'attention_closed',
      `attention (resolved_at) where resolved_at is not null and kind <> 'UNKNOWN_PAYMENT'`,
    );
    await this.index('invitation_mails_due', 'invitation_mails (next_attempt_at)');
    await this.index('resends_ended', 'resends (finished_at) where finished_at is not null');
  }
}
