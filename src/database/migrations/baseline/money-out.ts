/** Refunds, disputes and payouts. */
export const MONEY_OUT = `
  create table refunds (
    id text primary key,
    charge_id text not null references charges (id),
    store_id text not null references stores (id),
    dev_mode boolean not null,
    status text not null,
    amount_cents bigint not null,
    reason text,
    refusal text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    takes_rest boolean not null default true,
    platform_fee_cents bigint,
    check (amount_cents > 0),
    check ((status = 'FAILED') = (refusal is not null))
  );
  create index refunds_changed on refunds using brin (updated_at) with (pages_per_range = 32, autosummarize = on);
  create index refunds_of_charge on refunds (charge_id, created_at, id);
  create unique index refunds_of_the_rest_once on refunds (charge_id) where takes_rest and status <> 'FAILED';
  create index refunds_open on refunds (created_at, id) where status in ('REQUESTED', 'PENDING');
  create table disputes (
    id text primary key,
    charge_id text not null references charges (id),
    provider text not null,
    provider_dispute_id text not null,
    status text not null,
    reason text,
    opened_at timestamptz not null,
    closed_at timestamptz,
    amount_cents bigint,
    platform_fee_cents bigint,
    unique (provider, provider_dispute_id),
    check ((status = 'OPEN') = (closed_at is null))
  );
  create index disputes_of_charge on disputes (charge_id, opened_at, id);
  create unique index disputes_open_once on disputes (charge_id) where status = 'OPEN';
  alter table charges add foreign key (refund_id) references refunds (id);
  create table payouts (
    id text primary key,
    kind text not null,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    status text not null,
    amount_cents bigint not null,
    platform_fee_cents bigint not null,
    external_id text not null,
    content_hash text not null,
    description text,
    pix_key_type text,
    pix_key text,
    end_to_end_identifier text,
    failure_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    workflow_started_at timestamptz,
    provider text not null default 'sandbox',
    unique (store_id, dev_mode, kind, external_id),
    check (amount_cents between 1 and 9999999999),
    check (platform_fee_cents >= 0)
  );
  create index payouts_by_status on payouts (store_id, dev_mode, kind, status, created_at, id);
  create index payouts_changed on payouts using brin (updated_at) with (pages_per_range = 32, autosummarize = on);
  create index payouts_newest_first on payouts (store_id, dev_mode, kind, created_at, id);
  create index payouts_open on payouts (created_at, id) where status = 'PENDING';
  create index payouts_without_workflow on payouts (created_at) where workflow_started_at is null;
`;
