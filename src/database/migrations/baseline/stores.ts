/** Stores with their keys, clocks and accounts at providers, and what requests share. */
export const STORES = `
  create table stores (
    id text primary key,
    name text not null,
    city text not null,
    tax_id text,
    website text,
    created_at timestamptz not null,
    logo_url text,
    accent_color text,
    support_email text,
    support_phone text,
    support_url text,
    legal_footer text
  );
  create table api_keys (
    id text primary key,
    store_id text not null references stores (id),
    dev_mode boolean not null,
    hash text not null unique,
    last_four text not null,
    description text not null,
    permissions text[] not null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
  );
  create index api_keys_by_store on api_keys (store_id);
  create table store_clocks (
    store_id text primary key references stores (id),
    ahead_ms bigint not null,
    moved_from timestamptz not null,
    moved_at timestamptz not null,
    steps integer not null,
    stands_at timestamptz,
    target timestamptz,
    waits_for text,
    check (ahead_ms >= 0),
    check ((stands_at is null) = (target is null)),
    check (stands_at <= target)
  );
  create table provider_accounts (
    id text primary key,
    store_id text not null references stores (id),
    kind text not null,
    profile text not null,
    settings json not null,
    secret text not null,
    secret_key_id text,
    version integer not null,
    certificate_ends_at timestamptz,
    created_at timestamptz not null,
    rotated_at timestamptz,
    removed_at timestamptz
  );
  create index provider_accounts_by_certificate_end on provider_accounts (certificate_ends_at)
    where certificate_ends_at is not null and removed_at is null;
  create index provider_accounts_of_store on provider_accounts (store_id);
  create table provider_account_listings (
    account_id text primary key references provider_accounts (id),
    listed_until timestamptz,
    days_listed_until timestamptz,
    unanswered_since timestamptz
  );
  create table provider_account_uses (
    store_id text not null references stores (id),
    use text not null,
    account_id text not null references provider_accounts (id),
    primary key (store_id, use)
  );
  create index provider_account_uses_of_account on provider_account_uses (account_id);
  create table idempotency_records (
    store_id text not null references stores (id),
    dev_mode boolean not null,
    key text not null,
    request_hash text not null,
    status integer,
    body text,
    created_at timestamptz not null,
    claim_id text,
    claimed_until timestamptz,
    primary key (store_id, dev_mode, key)
  ) with (autovacuum_vacuum_scale_factor = 0.02);
  create index idempotency_records_by_age on idempotency_records (created_at);
  create unlogged table anonymous_traffic (
    key text primary key,
    points integer not null default 0,
    expire bigint
  );
  create table attention (
    id text primary key,
    kind text not null,
    subject_id text not null,
    store_id text references stores (id),
    dev_mode boolean,
    since timestamptz not null,
    noted_at timestamptz not null,
    resolved_at timestamptz
  );
  create index attention_closed on attention (resolved_at) where resolved_at is not null and kind <> 'UNKNOWN_PAYMENT';
  create index attention_open_oldest_first on attention (since, id) where resolved_at is null;
  create unique index attention_open_once on attention (kind, subject_id) where resolved_at is null;
  create index attention_unknown_payments on attention (subject_id) where kind = 'UNKNOWN_PAYMENT';
  alter table idempotency_records add constraint idempotency_records_answered_or_claimed
    check ((status is null) = (body is null) and (status is not null or claimed_until is not null)) not valid;
`;
