import { OnlineMigration } from './online-migration.ts';

/** Deliveries without an attempt. Those that were checked longest ago come first (src/recovery/sweep/start-unattempted.ts). */
export class DeliveriesByLastLook extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'deliveries_unattempted',
      `deliveries (workflow_started_at) where status = 'PENDING' and attempts = 0`,
    );
  }
}
