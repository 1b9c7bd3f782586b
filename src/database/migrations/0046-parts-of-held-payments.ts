import { OnlineMigration } from './online-migration.ts';

/**
 * The parts of a HELD payment that were returned before the whole was. The previous release does not write them: when such a
 * payment ends, it takes the full amount out of suspense, which `ledger verify` would report.
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
