import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for the auditor: open rows, ordered by the time at which something should happen to them
 * (src/recovery/overdue-rows.ts). They are partial, so they hold only rows that are still open. They include existing rows.
 *
 * The new index of refunds replaces the sweeper's.
 */
export class Audit extends Migration {
  override up(): void {
    this.addSql(`
      create index charges_open on charges ((case when method in ('CARD', 'FREE') then created_at else closes_at end), id)
        where status = 'PENDING';
      create index charges_unsettled on charges (settles_at, store_id, dev_mode)
        where settles_at is not null and settled_at is null and status = 'PAID' and refund_id is null;
      create index checkouts_open on checkouts ((coalesce(expires_at, 'infinity')), id) where status = 'PENDING';
      create index subscriptions_open on subscriptions ((coalesce(attempt_due_at, cycle_ends_at)), id) where status = 'ACTIVE';
      drop index refunds_to_resume;
      create index refunds_open on refunds (created_at, id) where status in ('REQUESTED', 'PENDING');
      create index payouts_open on payouts (created_at, id) where status = 'PENDING';
      create index deliveries_open on deliveries ((coalesce(next_attempt_at, created_at)), id) where status = 'PENDING';
    `);
  }
}
