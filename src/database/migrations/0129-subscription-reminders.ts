import { OnlineMigration } from './online-migration.ts';

/** Reminders of subscriptions, the stores that want them, and the indexes that find what is due on a day. No store had any before. */
export class SubscriptionReminders extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table reminder_settings add column if not exists of_subscriptions json not null default '{}';
      create table if not exists subscription_reminders (
        subscription_id text not null references subscriptions (id),
        kind text not null,
        subject text not null,
        days smallint not null,
        store_id text not null,
        dev_mode boolean not null,
        status text not null,
        attempts int not null default 0,
        next_attempt_at timestamptz not null,
        created_at timestamptz not null,
        ended_at timestamptz,
        primary key (subscription_id, kind, subject, days),
        check ((status = 'QUEUED') = (ended_at is null))
      );`);
    await this.index(
      'subscription_reminders_due',
      `subscription_reminders (next_attempt_at) where status = 'QUEUED'`,
    );
    await this.index('subscription_reminders_by_age', 'subscription_reminders (created_at)');
    await this.index(
      'subscriptions_charged_next',
      `subscriptions (store_id, dev_mode, cycle_ends_at, id) where status = 'ACTIVE' and attempt_due_at is null`,
    );
    await this.index(
      'subscriptions_unpaid',
      `subscriptions (store_id, dev_mode, cycle_starts_at, id)
       where status = 'ACTIVE' and (attempt_due_at is not null or pause_cause = 'PAST_DUE')`,
    );
    await this.index(
      'subscriptions_by_card_expiry',
      `subscriptions (store_id, dev_mode, card_expiry_month, id)
       where status = 'ACTIVE' and card_expiry_month is not null`,
    );
  }
}
