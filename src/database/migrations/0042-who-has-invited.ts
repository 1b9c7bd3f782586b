import { OnlineMigration } from './online-migration.ts';

/** Who sent an invitation. It is null for invitations by the command line and for those before this migration. */
export class WhoHasInvited extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table one_time_links add column if not exists inviter_id text references users (id);
      alter table invitation_mails add column if not exists inviter_id text references users (id)`);
    await this.index(
      'one_time_links_open_invitations',
      `one_time_links (store_id) where kind = 'INVITE' and used_at is null`,
    );
  }
}
