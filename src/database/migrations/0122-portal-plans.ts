import { OnlineMigration } from './online-migration.ts';

/** The plans that payers may change to in the customer portal, and when a more expensive one starts. No store has offered one before. */
export class PortalPlans extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table portal_settings
        add column if not exists offered_plan_ids text[] not null default '{}',
        add column if not exists upgrades_at_once boolean not null default false;
    `);
  }
}
