import { OnlineMigration } from './online-migration.ts';

/** Whether a store requires a second factor of its members. Existing stores do not. */
export class SecondFactorForEverybody extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table stores add column if not exists requires_second_factor boolean not null default false',
    );
  }
}
