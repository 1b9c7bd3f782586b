import { OnlineMigration } from './online-migration.ts';

/**
 * `ledger verify` continues from a checkpoint: every new movement has a number, and a checkpoint stores the last
 * verified number and the sums up to it. Existing movements have no number: they come before all that have one,
 * and belong to the first checkpoint.
 *
 * The indexes of ranges (BRIN) find new rows, which lie together in these tables; they cost next to nothing to
 * write. A process of the previous release continues meanwhile, as the number is a default.
 */
export class LedgerCheckpoints extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create sequence if not exists ledger_movements_number;
      alter table ledger_movements add column if not exists number bigint;
      alter table ledger_movements alter column number set default nextval('ledger_movements_number');
      alter sequence ledger_movements_number owned by ledger_movements.number;
      create table if not exists ledger_checkpoints (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        up_to_number bigint not null,
        movements bigint not null,
        clearing_cents bigint not null,
        pending_cents bigint not null,
        available_cents bigint not null,
        blocked_cents bigint not null,
        outgoing_cents bigint not null,
        platform_fees_cents bigint not null,
        suspense_cents bigint not null,
        verified_at timestamptz not null,
        primary key (store_id, dev_mode)
      )`);
    const ranges = 'with (pages_per_range = 32, autosummarize = on)';
    await this.index('ledger_movements_by_number', `ledger_movements using brin (number) ${ranges}`);
    await this.index('charges_changed', `charges using brin (updated_at) ${ranges}`);
    await this.index('refunds_changed', `refunds using brin (updated_at) ${ranges}`);
    await this.index('payouts_changed', `payouts using brin (updated_at) ${ranges}`);
    await this.index('payments_held', `payments (id) where outcome = 'HELD'`);
  }
}
