import { OnlineMigration } from './online-migration.ts';

/** Whether a waiting member could send money before. Members who already wait could not. */
export class PromotedMembersWait extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table memberships add column if not exists may_already_send boolean not null default false;',
    );
  }
}
