import { OnlineMigration } from './online-migration.ts';

/**
 * What has gone of a payment that is HELD before all of it is back. The previous release writes none of it: what it
 * takes out of suspense when such a payment ends is all of it, which `ledger verify` would show.
 */
export class PartsOfHeldPayments extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists payment_returns (
        id text primary key,
        payment_id text not null references payments (id),
        amount_cents bigint not null check (amount_cents > 0),
        returned_cents bigint not null check (returned_cents >= amount_cents),
        created_at timestamptz not null,
        unique (payment_id, returned_cents)
      )`);
  }
}
