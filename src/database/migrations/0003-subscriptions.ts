import { Migration } from '@mikro-orm/migrations';

/** Subscriptions, their cycles, changes of plan and usage. */
export class Subscriptions extends Migration {
  override up(): void {
    this.addSql(`
      create table subscriptions (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        checkout_id text not null unique references checkouts (id),
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
        amount_cents bigint not null check (amount_cents > 0),
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
        workflow_started_at timestamptz
      );
      create index subscriptions_newest_first on subscriptions (store_id, dev_mode, created_at, id);
      create index subscriptions_without_workflow on subscriptions (created_at) where workflow_started_at is null;
      create index subscriptions_mrr on subscriptions (store_id, dev_mode, cycle) include (amount_cents, trial_ends_at)
        where status = 'ACTIVE';
      create table installments (
        id text primary key,
        subscription_id text not null references subscriptions (id),
        number integer not null check (number >= 1),
        status text not null,
        amount_cents bigint not null check (amount_cents > 0),
        usage_cents bigint not null check (usage_cents >= 0),
        starts_at timestamptz not null,
        ends_at timestamptz not null,
        paid_by_charge_id text references charges (id),
        created_at timestamptz not null,
        unique (subscription_id, number),
        check ((status = 'PAID') = (paid_by_charge_id is not null))
      );
      create table plan_updates (
        id text primary key,
        subscription_id text not null references subscriptions (id),
        status text not null,
        plan json not null,
        amount_cents bigint not null check (amount_cents > 0),
        cycle text not null,
        requested_at timestamptz not null,
        applied_at timestamptz
      );
      create unique index plan_updates_one_pending on plan_updates (subscription_id) where status = 'PENDING';
      create table usage_records (
        id text primary key,
        subscription_id text not null references subscriptions (id),
        product_id text not null references products (id),
        installment_number integer not null,
        action text not null,
        units bigint not null check (units > 0),
        unit_price_cents bigint not null,
        recorded_at timestamptz not null
      );
      create index usage_records_by_cycle on usage_records (subscription_id, installment_number);
      create table usage_totals (
        subscription_id text not null references subscriptions (id),
        installment_number integer not null,
        product_id text not null references products (id),
        units bigint not null constraint usage_units_not_below_zero check (units >= 0),
        amount_cents bigint not null constraint usage_amount_not_below_zero check (amount_cents >= 0),
        primary key (subscription_id, installment_number, product_id)
      );
      create function usage_cents(of_subscription text, of_number integer) returns bigint language sql volatile as $$
        select coalesce(sum(amount_cents), 0)::bigint from usage_totals
        where subscription_id = of_subscription and installment_number = of_number
      $$;
      alter table checkouts
        add column cycle text,
        add column trial_days integer,
        add column max_retry integer,
        add column retry_every_days integer,
        add column subscription_id text;
      alter table charges
        add column installment_id text references installments (id);
      create index charges_by_installment on charges (installment_id) where installment_id is not null;
      create index charges_revenue on charges (store_id, dev_mode, paid_at) include (paid_amount_cents)
        where status = 'PAID';
    `);
  }
}
