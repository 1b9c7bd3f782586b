import { OnlineMigration } from './online-migration.ts';

/**
 * What was announced of subscriptions. Those that are there have announced nothing, and are announced once somebody listens.
 * While a cycle is charged its subscription is in no index of these, as nobody knows yet whether there will be another one.
 */
export class Announcements extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table subscriptions
        add column if not exists announced_number integer not null default 0,
        add column if not exists trial_end_announced boolean not null default false;
    `);
    await this.index(
      'subscriptions_to_announce',
      `subscriptions (store_id, dev_mode, cycle_ends_at, id)
       where status = 'ACTIVE' and attempt_due_at is null and announced_number <= cycle_number`,
    );
    await this.index(
      'subscriptions_trials_to_announce',
      `subscriptions (store_id, dev_mode, cycle_ends_at, id)
       where status = 'ACTIVE' and cycle_number = 0 and attempt_due_at is null and not trial_end_announced`,
    );
    await this.index(
      'webhooks_of_announcements',
      `webhooks (store_id, dev_mode)
       where deleted_at is null and disabled_at is null
         and events && '{subscription.trial_ending,subscription.upcoming}'::text[]`,
    );
  }
}
