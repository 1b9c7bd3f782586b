import { OnlineMigration } from './online-migration.ts';

/**
 * The txid that a BR Code requires of its payment. It is null if the code requires none, and for payouts created before this
 * migration.
 */
export class TxidsOfPayees extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table payouts add column if not exists payee_txid text');
  }
}
