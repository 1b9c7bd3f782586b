import { OnlineMigration } from './online-migration.ts';

/**
 * Since when a member may do what sends money, and who gave them that; and how long they then wait, null for what the
 * environment has by default. Members who are there do not wait, nor do those whom the previous release lets in while it
 * still runs: it does not know these columns, and leaves them null.
 */
export class NewMembersWait extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table memberships
        add column if not exists money_since timestamptz,
        add column if not exists money_giver_id text;
      alter table payout_controls
        add column if not exists new_member_wait_hours int check (new_member_wait_hours >= 0)`);
  }
}
