import { OnlineMigration } from './online-migration.ts';

/**
 * Since when a member may send money, and who gave them that right; and how long new members wait, null for the default of the
 * environment. Existing members do not wait. Members whom the previous release adds meanwhile do not wait either, as it leaves
 * these columns null.
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
