import { OnlineMigration } from './online-migration.ts';

/** Counts cards that were declined at the start of a trial, as migration 0038 does for card payments. */
export class VerifiedCards extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'charges_verified_cards',
      `charges (checkout_id, created_at)
       where method = 'FREE' and card_token is not null and status in ('PENDING', 'FAILED')`,
    );
  }
}
