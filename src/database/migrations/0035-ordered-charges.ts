import { OnlineMigration } from './online-migration.ts';

/**
 * Charges ordered at banks: a row exists from before the request until the charge is stored here or cancelled at the bank.
 * Earlier orders have no row. Their charges were stored, or expire without help.
 */
export class OrderedCharges extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists charge_orders (
        charge_id text primary key,
        provider text not null,
        request_hash text unique,
        asked_at timestamptz not null,
        taken_back_at timestamptz
      )`);
    await this.index('charge_orders_by_provider', 'charge_orders (provider, charge_id)');
  }
}
