/** Charges, the orders sent to providers, and payments. */
export const CHARGES = `
  create table charges (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    method text not null,
    status text not null,
    amount_cents bigint not null,
    paid_amount_cents bigint,
    platform_fee_cents bigint not null,
    description text,
    external_id text,
    content_hash text not null,
    metadata json not null,
    utm json,
    customer_id text references customers (id),
    provider text not null,
    provider_reference text not null,
    br_code text,
    bar_code text,
    our_number text,
    due_date text,
    interest json,
    fine json,
    expires_at timestamptz not null,
    closes_at timestamptz not null,
    late_from timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    paid_at timestamptz,
    workflow_started_at timestamptz,
    checkout_id text references checkouts (id),
    attempt_key text,
    upsell_of text references charges (id),
    items json,
    coupon_id text references coupons (id),
    discount_cents bigint not null default 0,
    installments_count integer,
    card_token text,
    card_brand text,
    card_last_four text,
    failure_reason text,
    installment_id text,
    settles_at timestamptz,
    settled_at timestamptz,
    refund_id text,
    payer_name text,
    payer_tax_id text,
    payer_email text,
    payer_cellphone text,
    superseded_by text references charges (id) deferrable initially deferred,
    reversed_cents bigint not null default 0,
    reversed_fee_cents bigint not null default 0,
    refunded_cents bigint not null default 0,
    unique (provider, provider_reference),
    constraint charges_amount_cents_check
      check (amount_cents <= 9999999999 and (amount_cents >= 1 or method = 'FREE' and amount_cents = 0)),
    check ((paid_at is null) = (paid_amount_cents is null)),
    check ((paid_at is null) = (settles_at is null)),
    constraint charges_reversed_no_more_than_paid check (
      refunded_cents >= 0 and refunded_cents <= reversed_cents
      and reversed_cents <= coalesce(paid_amount_cents, 0)
    )
  );
  create index charges_boletos_with_coupon on charges (coupon_id)
    where method = 'BOLETO' and status = 'PENDING' and coupon_id is not null;
  create unique index charges_by_attempt on charges (checkout_id, attempt_key) where checkout_id is not null;
  create unique index charges_by_external_id
    on charges (store_id, dev_mode, external_id, superseded_by) nulls not distinct
    where external_id is not null;
  create index charges_by_installment on charges (installment_id) where installment_id is not null;
  create index charges_by_method on charges (store_id, dev_mode, method, status, created_at, id);
  create index charges_by_payment on charges (store_id, dev_mode, method, status, paid_at, id)
    where paid_at is not null;
  create index charges_by_status on charges (store_id, dev_mode, status, created_at, id) where checkout_id is null;
  create index charges_card_attempts on charges (checkout_id, created_at)
    where method = 'CARD' and status in ('PENDING', 'FAILED');
  create index charges_changed on charges using brin (updated_at) with (pages_per_range = 32, autosummarize = on);
  create index charges_due_in_dev
    on charges (store_id, (case when method in ('CARD', 'FREE') then created_at else closes_at end))
    where dev_mode and status = 'PENDING';
  create index charges_of_checkout on charges (checkout_id, method, status, created_at, id)
    where checkout_id is not null;
  create index charges_of_customer on charges (customer_id, created_at, id) where customer_id is not null;
  create index charges_open on charges ((case when method in ('CARD', 'FREE') then created_at else closes_at end), id)
    where status = 'PENDING';
  create index charges_revenue on charges (store_id, dev_mode, paid_at)
    include (paid_amount_cents) where status = 'PAID';
  create index charges_to_settle on charges (store_id, dev_mode, settles_at)
    where settles_at is not null and settled_at is null;
  create index charges_unsettled on charges (settles_at, store_id, dev_mode)
    where settles_at is not null and settled_at is null and status = 'PAID' and refund_id is null;
  create unique index charges_upsell_once on charges (upsell_of)
    where upsell_of is not null and status not in ('EXPIRED', 'CANCELLED', 'FAILED');
  create index charges_without_checkout on charges (store_id, dev_mode, created_at, id) where checkout_id is null;
  create index charges_without_workflow on charges (created_at) where workflow_started_at is null;
  create table charge_orders (
    charge_id text primary key,
    provider text not null,
    request_hash text unique,
    asked_at timestamptz not null,
    taken_back_at timestamptz
  );
  create index charge_orders_by_provider on charge_orders (provider, charge_id);
  create table payments (
    id text primary key,
    charge_id text not null references charges (id),
    provider text not null,
    provider_payment_id text not null,
    outcome text not null,
    amount_cents bigint not null,
    paid_at timestamptz not null,
    payer_name text,
    payer_tax_id text,
    created_at timestamptz not null,
    metadata json not null default '{}',
    end_to_end_identifier text,
    unique (provider, provider_payment_id)
  );
  create unique index payments_accepted_once on payments (charge_id) where outcome = 'ACCEPTED';
  create index payments_at_banks on payments (provider, paid_at) where provider <> 'sandbox';
  create index payments_in_suspense on payments (id) where outcome in ('RETURNING', 'HELD');
  create index payments_returning on payments (created_at, id) where outcome = 'RETURNING';
  create table receipt_mails (
    charge_id text primary key references charges (id),
    language text not null,
    due_at timestamptz,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default '-infinity'
  );
  create index receipt_mails_due on receipt_mails (next_attempt_at) where due_at is not null;
  alter table checkouts add foreign key (paid_by_charge_id) references charges (id);
`;
