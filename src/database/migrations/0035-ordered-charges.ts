import { OnlineMigration } from './online-migration.ts';

/**
 * Charges that banks are asked to issue, from before they are asked until the charge is stored or what was issued is taken
 * back. Nothing is known of what was asked for before: it was stored, or expires by itself.
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
