import { OnlineMigration } from './online-migration.ts';

/** Payments in suspense include those being returned, which `ledger verify` adds up. */
export class PaymentsOnTheirWayBack extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('payments_in_suspense', `payments (id) where outcome in ('RETURNING', 'HELD')`);
    await this.execute('drop index concurrently if exists payments_held');
  }
}
