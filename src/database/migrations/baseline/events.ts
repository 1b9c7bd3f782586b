/** The ids of the objects that an event is about, read from its data. */
const SUBJECTS = `
  nullif(coalesce(told -> 'transparent' ->> 'id', told -> 'payment' ->> 'id'), split_part(new.key, '/', 2)) as subject_id,
  told -> 'checkout' ->> 'id' as checkout_id, told -> 'subscription' ->> 'id' as subscription_id`;

/** Events, webhooks, and the deliveries of one to the other. */
export const EVENTS = `
  create table events (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    name text not null,
    key text not null unique,
    data text not null,
    created_at timestamptz not null,
    customer_id text,
    subject_id text,
    checkout_id text,
    subscription_id text,
    sample boolean not null default false,
    recorded_in xid8 default pg_current_xact_id()
  ) with (autovacuum_vacuum_scale_factor = 0.02);
  create index events_by_checkout on events (checkout_id, created_at, id) where checkout_id is not null;
  create index events_by_name on events (store_id, dev_mode, name, created_at, id) where not sample;
  create index events_by_subject on events (subject_id, created_at, id) where subject_id is not null;
  create index events_by_subscription on events (subscription_id, created_at, id) where subscription_id is not null;
  create index events_in_order on events (store_id, dev_mode, recorded_in, id)
    where not sample and recorded_in is not null;
  create index events_of_customer on events (customer_id, created_at, id) where customer_id is not null;
  create index events_of_store on events (store_id, dev_mode, created_at, id) where not sample;
  create table webhooks (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    name text not null,
    endpoint text not null,
    secret text not null,
    events text[] not null,
    v2 boolean not null,
    disabled_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    secret_key_id text,
    previous_secret text,
    previous_secret_key_id text,
    previous_secret_until timestamptz
  );
  create index webhooks_newest_first on webhooks (store_id, dev_mode, created_at, id) where deleted_at is null;
  create index webhooks_of_announcements on webhooks (store_id, dev_mode)
    where deleted_at is null and disabled_at is null and events && '{subscription.trial_ending,subscription.upcoming}'::text[];
  create index webhooks_of_v1 on webhooks (store_id, dev_mode)
    where not v2 and deleted_at is null and disabled_at is null;
  create table deliveries (
    id text primary key,
    event_id text not null references events (id),
    webhook_id text not null references webhooks (id),
    status text not null,
    attempts integer not null,
    next_attempt_at timestamptz,
    created_at timestamptz not null,
    finished_at timestamptz,
    workflow_started_at timestamptz,
    store_id text not null,
    dev_mode boolean not null,
    event_name text not null,
    unique (event_id, webhook_id)
  ) with (autovacuum_vacuum_scale_factor = 0.02);
  create index deliveries_by_event on deliveries (store_id, dev_mode, event_name, created_at, id);
  create index deliveries_newest_first on deliveries (webhook_id, created_at, id);
  create index deliveries_not_delivered on deliveries (store_id, dev_mode, status, created_at, id)
    where status <> 'DELIVERED';
  create index deliveries_of_store on deliveries (store_id, dev_mode, created_at, id);
  create index deliveries_open on deliveries (coalesce(next_attempt_at, created_at), id) where status = 'PENDING';
  create index deliveries_unattempted on deliveries (workflow_started_at) where status = 'PENDING' and attempts = 0;
  create index deliveries_without_workflow on deliveries (created_at) where workflow_started_at is null;
  create table delivery_attempts (
    delivery_id text not null references deliveries (id),
    attempt_key text not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    status_code integer,
    response_excerpt text not null,
    error text,
    primary key (delivery_id, attempt_key)
  ) with (autovacuum_vacuum_scale_factor = 0.02);
  create table endpoint_breakers (
    webhook_id text primary key references webhooks (id) on delete cascade,
    hangs integer not null,
    paused_until timestamptz
  );
  create table event_readers (
    event_name text not null,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    read_at timestamptz not null,
    primary key (event_name, store_id, dev_mode)
  );
  create table resends (
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
  create index resends_ended on resends (finished_at) where finished_at is not null;
  create unique index resends_one_running on resends (webhook_id) where status = 'RUNNING';
  create index resends_open on resends (progress_at, id) where status = 'RUNNING';
  create index resends_without_workflow on resends (created_at) where workflow_started_at is null;
  create function deliveries_of_their_event() returns trigger language plpgsql as $$
      begin
        select store_id, dev_mode, name into new.store_id, new.dev_mode, new.event_name from events where id = new.event_id;
        return new;
      end $$;
  create trigger deliveries_of_their_event before insert on deliveries for each row
    when (new.store_id is null) execute function deliveries_of_their_event();
  create function subjects_of_event() returns trigger language plpgsql as $$
      begin
        select ${SUBJECTS} into new.subject_id, new.checkout_id, new.subscription_id
        from (select new.data::json as told) as event;
        return new;
      end $$;
  create trigger subjects_of_event before insert on events for each row
    when (new.subject_id is null and new.checkout_id is null and new.subscription_id is null and new.name not in
      ('transparent.completed', 'payout.completed', 'payout.failed', 'transfer.completed', 'transfer.failed'))
    execute function subjects_of_event();
`;
