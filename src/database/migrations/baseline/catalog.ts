/** Customers, products, coupons and checkouts. */
export const CATALOG = `
  create table customers (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    tax_id text,
    name text,
    email text,
    cellphone text,
    zip_code text,
    country text not null,
    metadata json not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    typed_by_payer boolean not null default false
  );
  create index customers_by_name
    on customers (store_id, dev_mode, translate(lower(name), 'áàâãäéêëíîïóôõöúûüçñ', 'aaaaaeeeiiioooouuucn') collate "C", created_at, id)
    where deleted_at is null and name is not null;
  create unique index customers_by_tax_id on customers (store_id, dev_mode, tax_id) where deleted_at is null;
  create index customers_newest_first on customers (store_id, dev_mode, created_at, id) where deleted_at is null;
  create index customers_of_email on customers (store_id, dev_mode, lower(email), created_at, id)
    where deleted_at is null;
  create table products (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    external_id text not null,
    name text not null,
    description text,
    image_url text,
    file_url text,
    price_cents bigint not null,
    cycle text,
    trial_days integer,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    made_by_v1 boolean not null default false,
    check (trial_days is null or cycle is not null),
    check (price_cents between 1 and 9999999999)
  );
  create unique index products_by_external_id on products (store_id, dev_mode, external_id) where deleted_at is null;
  create index products_newest_first on products (store_id, dev_mode, created_at, id) where deleted_at is null;
  create table coupons (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    code text not null,
    discount_kind text not null,
    discount_value bigint not null,
    max_redeems integer not null,
    redeems_count integer not null,
    reserved_count integer not null,
    status text not null,
    notes text,
    metadata json not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    check (discount_value > 0),
    constraint coupons_within_cap check (
      redeems_count >= 0 and reserved_count >= 0
      and (max_redeems = -1 or (redeems_count + reserved_count) <= max_redeems)
    )
  );
  create unique index coupons_by_code on coupons (store_id, dev_mode, code) where deleted_at is null;
  create index coupons_newest_first on coupons (store_id, dev_mode, created_at, id) where deleted_at is null;
  create table checkouts (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    frequency text not null,
    status text not null,
    amount_cents bigint not null,
    paid_amount_cents bigint,
    items json not null,
    methods text[] not null,
    coupons text[] not null,
    customer_id text references customers (id),
    external_id text,
    return_url text,
    completion_url text,
    metadata json not null,
    max_installments integer not null,
    interest json,
    fine json,
    up_sell_product_id text references products (id),
    paid_by_charge_id text,
    installments_count integer,
    expires_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    workflow_started_at timestamptz,
    cycle text,
    trial_days integer,
    max_retry integer,
    retry_every_days integer,
    subscription_id text,
    allow_coupons boolean not null default false,
    check (amount_cents between 1 and 9999999999)
  );
  create index checkouts_by_external_id on checkouts (store_id, dev_mode, external_id) where external_id is not null;
  create index checkouts_by_frequency on checkouts (store_id, dev_mode, frequency, created_at, id);
  create index checkouts_by_status on checkouts (store_id, dev_mode, frequency, status, created_at, id);
  create index checkouts_due_in_dev on checkouts (store_id, coalesce(expires_at, 'infinity'))
    where dev_mode and status = 'PENDING';
  create index checkouts_newest_first on checkouts (store_id, dev_mode, created_at, id);
  create index checkouts_of_customer on checkouts (customer_id, created_at, id) where customer_id is not null;
  create index checkouts_open on checkouts (coalesce(expires_at, 'infinity'), id) where status = 'PENDING';
  create index checkouts_without_workflow on checkouts (created_at) where workflow_started_at is null;
`;
