import { OnlineMigration } from './online-migration.ts';

/**
 * An index of card attempts that were declined or are not decided yet, by checkout and time. The limit of declined cards counts
 * them. Paid charges are not in it.
 */
export class CardAttempts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'charges_card_attempts',
      `charges (checkout_id, created_at) where method = 'CARD' and status in ('PENDING', 'FAILED')`,
    );
  }
}
