import { OnlineMigration } from './online-migration.ts';

/** When an open subscription is due next, as in `src/recovery/overdue-rows.ts`. */
const DUE_AT = `(least(cancel_at, case when paused_at is null then coalesce(attempt_due_at, usage_ends_at, cycle_ends_at) else coalesce(resumes_at, 'infinity') end))`;

/**
 * Usage that is charged more often than the plan. No existing plan does that. A cycle of usage that costs nothing has no charge, so it is
 * PAID without one.
 */
export class UsageCycles extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table products add column if not exists usage_cycle text;
      alter table subscriptions
        add column if not exists usage_starts_at timestamptz,
        add column if not exists usage_ends_at timestamptz;
      alter table installments add column if not exists is_usage boolean not null default false;
      alter table installments drop constraint if exists installments_check;
      alter table installments drop constraint if exists installments_paid_by_charge;
      alter table installments add constraint installments_paid_by_charge
        check ((status = 'PAID') = (paid_by_charge_id is not null) or is_usage and usage_cents = 0 and paid_by_charge_id is null) not valid;`);
    await this.execute('alter table installments validate constraint installments_paid_by_charge');
    await this.index('subscriptions_due_next', `subscriptions (${DUE_AT}, id) where status = 'ACTIVE'`);
    await this.index(
      'subscriptions_due_next_of_dev_store',
      `subscriptions (store_id, ${DUE_AT}) where dev_mode and status = 'ACTIVE'`,
    );
    await this.index(
      'subscriptions_overdue',
      `subscriptions (store_id, dev_mode, (coalesce(usage_starts_at, cycle_starts_at)), id)
       where status = 'ACTIVE' and (attempt_due_at is not null or pause_cause = 'PAST_DUE')`,
    );
    await this.execute('drop index concurrently if exists subscriptions_due');
    await this.execute('drop index concurrently if exists subscriptions_due_of_dev_store');
    await this.execute('drop index concurrently if exists subscriptions_unpaid');
  }
}
