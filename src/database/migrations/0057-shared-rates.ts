import { OnlineMigration } from './online-migration.ts';

/**
 * The number of requests in each API process for stores that come close to their rate limit (src/http). A crash of Postgres may
 * empty the table, as a report counts for seconds only.
 */
export class SharedRates extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create unlogged table if not exists shared_rates (
        owner text not null,
        process text not null,
        per_second double precision not null,
        reported_at timestamptz not null,
        primary key (owner, process)
      )`);
  }
}
