import { OnlineMigration } from './online-migration.ts';

/**
 * A keyed hash of the PIX key, by which limits per payee are counted once PIX keys are encrypted. It is null in rows of earlier
 * releases, whose key is text, and for the store's own account.
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
