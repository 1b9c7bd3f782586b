import { OnlineMigration } from './online-migration.ts';

/** Who initiated a refund. All refunds of earlier releases were requested by the store. */
export class RefundsMadeAtTheBank extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table refunds add column if not exists initiated_by text not null default 'STORE'`,
    );
  }
}
