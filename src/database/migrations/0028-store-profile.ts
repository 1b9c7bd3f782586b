import { OnlineMigration } from './online-migration.ts';

/** The profile that payers see of a store. Existing stores have none, as before. */
export class StoreProfile extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table stores
         add column if not exists logo_url text,
         add column if not exists accent_color text,
         add column if not exists support_email text,
         add column if not exists support_phone text,
         add column if not exists support_url text,
         add column if not exists legal_footer text`,
    );
  }
}
