import { OnlineMigration } from './online-migration.ts';

/**
 * Card fees that payers pay (decision 33): whether a checkout passes them on, how much of a charge they are, and how much was paid
 * through a checkout. Existing checkouts pass none on.
 */
export class PassedFees extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table checkouts
         add column if not exists passes_fees boolean not null default false,
         add column if not exists customer_fee_cents bigint;
       alter table charges add column if not exists customer_fee_cents bigint not null default 0;`,
    );
  }
}
