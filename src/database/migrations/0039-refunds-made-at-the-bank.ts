import { OnlineMigration } from './online-migration.ts';

/** Who has initiated a refund. Every refund of the releases before was asked for by the store. */
export class RefundsMadeAtTheBank extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table refunds add column if not exists initiated_by text not null default 'STORE'`,
    );
  }
}
