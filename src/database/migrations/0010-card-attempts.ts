import { Migration } from '@mikro-orm/migrations';

/**
 * Cards of a checkout that were declined or are not decided yet, by when they were tried: what the limit of
 * declined cards counts. It holds no payment that was made.
 */
export class CardAttempts extends Migration {
  override up(): void {
    this.addSql(`
      create index charges_card_attempts on charges (checkout_id, created_at)
        where method = 'CARD' and status in ('PENDING', 'FAILED');
    `);
  }
}
