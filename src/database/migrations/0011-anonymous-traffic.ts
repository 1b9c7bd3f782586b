import { OnlineMigration } from './online-migration.ts';

/**
 * Counts requests without an API key, per address and per checkout (src/http). A crash of Postgres may empty the table, so it
 * needs no write-ahead log: the counts matter for an hour only.
 *
 * The index finds unpaid boletos with a coupon. They may reserve at most half of a coupon's remaining uses.
 */
export class AnonymousTraffic extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create unlogged table if not exists anonymous_traffic (
        key text primary key,
        points integer not null default 0,
        expire bigint
      )`);
    await this.index(
      'charges_boletos_with_coupon',
      `charges (coupon_id) where method = 'BOLETO' and status = 'PENDING' and coupon_id is not null`,
    );
  }
}
