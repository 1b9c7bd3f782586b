import { OnlineMigration } from './online-migration.ts';

/** Why a payment was not accepted: null for accepted payments, and for those returned before this migration. */
export class WhyPaymentsGoBack extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table payments add column if not exists return_reason text');
  }
}
