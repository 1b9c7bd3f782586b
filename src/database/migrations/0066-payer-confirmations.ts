import { OnlineMigration } from './online-migration.ts';

/**
 * The page on which a payer's bank asks for a confirmation of a card payment, while the charge waits for it, and since
 * when. Existing charges wait for none.
 */
export class PayerConfirmations extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table charges
        add column if not exists action_url text,
        add column if not exists action_required_at timestamptz`);
  }
}
