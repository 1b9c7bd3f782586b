import { OnlineMigration } from './online-migration.ts';

/** When an open subscription is due next, as in `src/recovery/overdue-rows.ts`. */
const DUE_AT = `(least(cancel_at, case when paused_at is null then coalesce(attempt_due_at, cycle_ends_at) else coalesce(resumes_at, 'infinity') end))`;

/** Cancellations that wait for the end of a period, and pauses. Existing subscriptions have neither. */
export class SubscriptionLifecycle extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table subscriptions
         add column if not exists cancel_at timestamptz,
         add column if not exists paused_at timestamptz,
         add column if not exists resumes_at timestamptz,
         add column if not exists keeps_anchor boolean not null default true;
       alter table subscriptions drop constraint if exists subscriptions_resumed_if_paused;
       alter table subscriptions add constraint subscriptions_resumed_if_paused
         check (resumes_at is null or paused_at is not null) not valid;`,
    );
    await this.execute('alter table subscriptions validate constraint subscriptions_resumed_if_paused');
    await this.index('subscriptions_due', `subscriptions (${DUE_AT}, id) where status = 'ACTIVE'`);
    await this.index(
      'subscriptions_due_of_dev_store',
      `subscriptions (store_id, ${DUE_AT}) where dev_mode and status = 'ACTIVE'`,
    );
    await this.execute('drop index concurrently if exists subscriptions_open');
    await this.execute('drop index concurrently if exists subscriptions_due_in_dev');
    const inOrder = 'subscriptions (store_id, dev_mode, created_at, id)';
    await this.index(
      'subscriptions_cancelling',
      `${inOrder} where status = 'ACTIVE' and cancel_at is not null`,
    );
    await this.index('subscriptions_paused', `${inOrder} where status = 'ACTIVE' and paused_at is not null`);
  }
}
