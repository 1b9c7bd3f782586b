import { OnlineMigration } from './online-migration.ts';

/** Whether customers may change their details in the customer portal. No store has allowed it before. */
export class PortalDetails extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table portal_settings add column if not exists changes_details boolean not null default false;
    `);
  }
}
