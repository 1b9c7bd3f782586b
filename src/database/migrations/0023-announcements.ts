import { OnlineMigration } from './online-migration.ts';

/**
 * Which cycles and trial ends of subscriptions were announced. Existing subscriptions have announced nothing, and are announced
 * once someone listens. While a cycle is being charged, its subscription is in neither index, because it is not yet known
 * whether another cycle follows.
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
