import { OnlineMigration } from './online-migration.ts';

/**
 * Cards of a checkout that were declined or are not decided yet, by when they were tried: what the limit of
 * declined cards counts. It holds no payment that was made.
 */
export class CardAttempts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'charges_card_attempts',
      `charges (checkout_id, created_at) where method = 'CARD' and status in ('PENDING', 'FAILED')`,
    );
  }
}
