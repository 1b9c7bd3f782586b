import { OnlineMigration } from './online-migration.ts';

/** What a subscription's end charges for usage. Existing products keep what they do: it is not charged. */
export class FinalUsageCharges extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table products add column if not exists bills_final_usage boolean not null default false;
       alter table subscriptions add column if not exists final_usage json;`,
    );
  }
}
