import { OnlineMigration } from './online-migration.ts';

/** Whether payers may change between card and PIX in the customer portal. No store has allowed it before. */
export class PortalMethod extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table portal_settings add column if not exists changes_method boolean not null default false;
    `);
  }
}
