/** Subscriptions, their cycles, changes of plan and usage. */
export const SUBSCRIPTIONS = `
  create table subscriptions (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    checkout_id text not null references checkouts (id) unique,
    customer_id text references customers (id),
    external_id text,
    metadata json not null,
    coupons text[] not null,
    status text not null,
    method text not null,
    card_token text,
    card_brand text,
    card_last_four text,
    plan json not null,
    amount_cents bigint not null,
    cycle text not null,
    trial_days integer,
    trial_ends_at timestamptz,
    max_retry integer not null,
    retry_every_days integer not null,
    anchor_at timestamptz not null,
    anchor_number integer not null,
    cycle_number integer not null,
    cycle_starts_at timestamptz not null,
    cycle_ends_at timestamptz not null,
    failed_attempts integer not null,
    last_failure text,
    canceled_at timestamptz,
    cancel_policy text,
    cancelled_due_to text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    workflow_started_at timestamptz,
    attempt_due_at timestamptz,
    announced_number integer not null default 0,
    trial_end_announced boolean not null default false,
    check (amount_cents > 0)
  );
  create index subscriptions_by_status on subscriptions (store_id, dev_mode, status, created_at, id);
  create index subscriptions_due_in_dev on subscriptions (store_id, coalesce(attempt_due_at, cycle_ends_at))
    where dev_mode and status = 'ACTIVE';
  create index subscriptions_in_trial on subscriptions (store_id, dev_mode, trial_ends_at)
    include (cycle, amount_cents) where status = 'ACTIVE' and trial_ends_at is not null;
  create index subscriptions_newest_first on subscriptions (store_id, dev_mode, created_at, id);
  create index subscriptions_open on subscriptions (coalesce(attempt_due_at, cycle_ends_at), id)
    where status = 'ACTIVE';
  create index subscriptions_to_announce on subscriptions (store_id, dev_mode, cycle_ends_at, id)
    where status = 'ACTIVE' and attempt_due_at is null and announced_number <= cycle_number;
  create index subscriptions_trials_to_announce on subscriptions (store_id, dev_mode, cycle_ends_at, id)
    where status = 'ACTIVE' and cycle_number = 0 and attempt_due_at is null and not trial_end_announced;
  create index subscriptions_without_workflow on subscriptions (created_at) where workflow_started_at is null;
  create table installments (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    number integer not null,
    status text not null,
    amount_cents bigint not null,
    usage_cents bigint not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    paid_by_charge_id text references charges (id),
    created_at timestamptz not null,
    unique (subscription_id, number),
    check (amount_cents > 0),
    check ((status = 'PAID') = (paid_by_charge_id is not null)),
    check (number >= 1),
    check (usage_cents >= 0)
  );
  create table plan_updates (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    status text not null,
    plan json not null,
    amount_cents bigint not null,
    cycle text not null,
    requested_at timestamptz not null,
    applied_at timestamptz,
    check (amount_cents > 0)
  );
  create unique index plan_updates_one_pending on plan_updates (subscription_id) where status = 'PENDING';
  create table usage_records (
    id text primary key,
    subscription_id text not null references subscriptions (id),
    product_id text not null references products (id),
    installment_number integer not null,
    action text not null,
    units bigint not null,
    unit_price_cents bigint not null,
    recorded_at timestamptz not null,
    check (units > 0)
  );
  create index usage_records_by_cycle on usage_records (subscription_id, installment_number);
  create table usage_totals (
    subscription_id text not null references subscriptions (id),
    installment_number integer not null,
    product_id text not null references products (id),
    units bigint not null,
    amount_cents bigint not null,
    primary key (subscription_id, installment_number, product_id),
    constraint usage_amount_not_below_zero check (amount_cents >= 0),
    constraint usage_units_not_below_zero check (units >= 0)
  );
  alter table charges add foreign key (installment_id) references installments (id);
  create function usage_cents(of_subscription text, of_number integer) returns bigint language sql as $$
        select coalesce(sum(amount_cents), 0)::bigint from usage_totals
        where subscription_id = of_subscription and installment_number = of_number
      $$;
`;
