import { OnlineMigration } from './online-migration.ts';

/** Products that were taken off sale, until somebody sells them again. All existing ones are sold. */
export class ArchivedProducts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table products add column if not exists archived_at timestamptz;');
  }
}
