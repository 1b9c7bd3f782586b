import { OnlineMigration } from './online-migration.ts';

/**
 * What follows the last failed attempt at a cycle, per store and environment. Stores without a row cancel, as before.
 * Existing pauses were requested by somebody.
 */
export class EndOfDunning extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists billing_settings (
         store_id text not null references stores (id),
         dev_mode boolean not null,
         dunning_end text not null,
         missed_cycles text not null,
         updated_at timestamptz not null,
         primary key (store_id, dev_mode)
       );
       alter table subscriptions
         add column if not exists pause_cause text,
         add column if not exists extra_attempts integer not null default 0;
       alter table subscriptions drop constraint if exists subscriptions_pause_has_cause;
       alter table subscriptions add constraint subscriptions_pause_has_cause
         check (pause_cause is null or paused_at is not null) not valid;`,
    );
    await this.execute('alter table subscriptions validate constraint subscriptions_pause_has_cause');
  }
}
