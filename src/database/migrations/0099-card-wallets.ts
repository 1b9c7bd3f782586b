import { OnlineMigration } from './online-migration.ts';

/**
 * The wallet through which a card payment was made; null for all others, and for payments before this column. Checkouts
 * name wallets among their methods, so lists by method need indexes as in migration 0077.
 */
export class CardWallets extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table charges add column if not exists card_wallet text');
    for (const wallet of ['APPLE_PAY', 'GOOGLE_PAY']) {
      const name = `checkouts_offering_${wallet.toLowerCase()}`;
      await this.index(name, `checkouts (store_id, dev_mode, created_at, id) where methods @> '{${wallet}}'`);
    }
  }
}
