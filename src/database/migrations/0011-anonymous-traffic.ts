import { OnlineMigration } from './online-migration.ts';

/**
 * How often those came who have no key, by address and by checkout (src/http). A crash of Postgres may
 * empty the table: it is worth no log, and an hour later nobody asks.
 *
 * The index holds boletos that wait with a coupon, which may hold half of what is left of one.
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
