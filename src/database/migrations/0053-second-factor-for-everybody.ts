import { OnlineMigration } from './online-migration.ts';

/** Whether a store lets in only people with a second factor. Existing stores do not ask for one. */
export class SecondFactorForEverybody extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table stores add column if not exists requires_second_factor boolean not null default false',
    );
  }
}
