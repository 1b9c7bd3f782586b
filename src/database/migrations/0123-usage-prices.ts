import { OnlineMigration } from './online-migration.ts';

/**
 * Prices of usage that depend on the number of units of a cycle. Existing products keep their price per unit. Totals name the
 * part that an unpaid cycle has left to the next one: it keeps what it cost. Earlier records changed their cycle by units × price.
 */
export class UsagePrices extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table products add column if not exists usage_price json;
       alter table usage_records add column if not exists amount_cents bigint;
       alter table usage_totals
         add column if not exists carried_units bigint not null default 0,
         add column if not exists carried_cents bigint not null default 0;`,
    );
  }
}
