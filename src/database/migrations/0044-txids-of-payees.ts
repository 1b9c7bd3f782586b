import { OnlineMigration } from './online-migration.ts';

/** The txid that a BR Code asks a payment to carry: null if none is carried, and for payouts created before this migration. */
export class TxidsOfPayees extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table payouts add column if not exists payee_txid text');
  }
}
