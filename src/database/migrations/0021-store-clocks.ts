import { OnlineMigration } from './online-migration.ts';

/**
 * The clocks that stores moved in their dev environment, and indexes for work that is due in dev environments. The indexes
 * contain no production rows, so production writes no more than before.
 */
export class StoreClocks extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists store_clocks (
        store_id text primary key references stores (id),
        ahead_ms bigint not null check (ahead_ms >= 0),
        moved_from timestamptz not null,
        moved_at timestamptz not null,
        steps integer not null,
        stands_at timestamptz,
        target timestamptz,
        waits_for text,
        check ((stands_at is null) = (target is null)),
        check (stands_at <= target)
      )`);
    await this.index(
      'charges_due_in_dev',
      `charges (store_id, (case when method in ('CARD', 'FREE') then created_at else closes_at end))
       where dev_mode and status = 'PENDING'`,
    );
    await this.index(
      'checkouts_due_in_dev',
      `checkouts (store_id, (coalesce(expires_at, 'infinity'))) where dev_mode and status = 'PENDING'`,
    );
    await this.index(
      'subscriptions_due_in_dev',
      `subscriptions (store_id, (coalesce(attempt_due_at, cycle_ends_at))) where dev_mode and status = 'ACTIVE'`,
    );
    await this.index(
      'sandbox_tokens_that_lapse',
      `sandbox_charges (card_token) where starts_with(card_token, 'sandbox_lapses_')`,
    );
  }
}
