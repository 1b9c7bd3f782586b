import { OnlineMigration } from './online-migration.ts';

/**
 * What limits of a payee count by once PIX keys are encrypted: a keyed hash of the key. Null in rows of earlier releases,
 * whose key is text, and for the store's own account.
 */
export class HashesOfPayees extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table payouts add column if not exists payee_hash text');
    await this.index(
      'payouts_by_payee_hash',
      'payouts (store_id, dev_mode, payee_hash, created_at) where payee_hash is not null',
    );
  }
}
