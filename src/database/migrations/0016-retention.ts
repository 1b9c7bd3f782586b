import { OnlineMigration } from './online-migration.ts';

/** What is deleted from, a little every hour. */
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'idempotency_records'];

/**
 * Room that deleted rows have left is used again once a table has been vacuumed. Postgres waits until a fifth of
 * the table is dead, which is months of deletions: here it waits for a fiftieth. Rows stay as they are.
 */
export class Retention extends OnlineMigration {
  override async up(): Promise<void> {
    for (const table of TABLES)
      await this.change(`alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`);
  }
}
