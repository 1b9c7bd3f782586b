import { OnlineMigration } from './online-migration.ts';

/** Tables from which a few rows are deleted every hour. */
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'idempotency_records'];

/**
 * The space of deleted rows is reused once a table has been vacuumed. By default Postgres waits until a fifth of the table is
 * dead, which takes months of deletions. These tables are vacuumed after a fiftieth. Rows do not change.
 */
export class Retention extends OnlineMigration {
  override async up(): Promise<void> {
    for (const table of TABLES)
      await this.change(`alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02)`);
  }
}
