import { OnlineMigration } from './online-migration.ts';

/** Events whose key already contains every id that they are about. Most events are of these kinds. */
const SAID_BY_THE_KEY = `('transparent.completed', 'payout.completed', 'payout.failed', 'transfer.completed', 'transfer.failed')`;

/** The ids of the objects that an event is about, read from its data. */
const SUBJECTS = (row: string) => `
  nullif(coalesce(told -> 'transparent' ->> 'id', told -> 'payment' ->> 'id'), split_part(${row}.key, '/', 2)) as subject_id,
  told -> 'checkout' ->> 'id' as checkout_id, told -> 'subscription' ->> 'id' as subscription_id`;

/**
 * Events can be listed and filtered by every object that they are about. Ids that neither the key nor the customer column
 * contains get columns of their own, which are filled from the data of existing events. Sample events never happened, so the
 * lists omit them.
 *
 * A webhook whose secret is changed keeps the previous one for a day. A bulk resend has a row with its progress.
 *
 * The trigger fills the columns for processes of the previous release.
 */
export class EventsBySubject extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table events
        add column if not exists subject_id text,
        add column if not exists checkout_id text,
        add column if not exists subscription_id text,
        add column if not exists sample boolean not null default false;
      alter table webhooks
        add column if not exists previous_secret text,
        add column if not exists previous_secret_key_id text,
        add column if not exists previous_secret_until timestamptz;
      create or replace function subjects_of_event() returns trigger language plpgsql as $$
      begin
        select ${SUBJECTS('new')} into new.subject_id, new.checkout_id, new.subscription_id
        from (select new.data::json as told) as event;
        return new;
      end $$;
      drop trigger if exists subjects_of_event on events;
      create trigger subjects_of_event before insert on events for each row
        when (new.subject_id is null and new.checkout_id is null and new.subscription_id is null
          and new.name not in ${SAID_BY_THE_KEY})
        execute function subjects_of_event()`);
    await this.execute(`
      create table if not exists resends (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        webhook_id text not null references webhooks (id),
        from_at timestamptz not null,
        to_at timestamptz not null,
        delivery_status text not null,
        status text not null,
        resent_count integer not null,
        last_created_at timestamptz,
        last_id text,
        created_at timestamptz not null,
        progress_at timestamptz not null,
        finished_at timestamptz,
        workflow_started_at timestamptz
      );
      create unique index if not exists resends_one_running on resends (webhook_id) where status = 'RUNNING';
      create index if not exists resends_open on resends (progress_at, id) where status = 'RUNNING';
      create index if not exists resends_without_workflow on resends (created_at) where workflow_started_at is null`);
    await this.inBatches(`
      with batch as (
        select id, key, name, data from events where id > :after order by id limit 5000
      ), about as (
        select id, ${SUBJECTS('batch')}
        from batch, lateral (select data::json as told) as event where name not in ${SAID_BY_THE_KEY}
      ), done as (
        update events
        set subject_id = about.subject_id, checkout_id = about.checkout_id, subscription_id = about.subscription_id
        from about where events.id = about.id
      )
      select max(id) as last from batch`);

    await this.index('events_of_store', 'events (store_id, dev_mode, created_at, id) where not sample');
    await this.index('events_by_name', 'events (store_id, dev_mode, name, created_at, id) where not sample');
    for (const column of ['subject', 'checkout', 'subscription'])
      await this.index(
        `events_by_${column}`,
        `events (${column}_id, created_at, id) where ${column}_id is not null`,
      );
    await this.index(
      'events_of_customer',
      'events (customer_id, created_at, id) where customer_id is not null',
    );
    await this.execute('drop index concurrently if exists events_by_customer');
  }
}
