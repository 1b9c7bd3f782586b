import { Migration } from '@mikro-orm/migrations';

/**
 * Stores, keys, charges with their payments, events with their deliveries, and the sandbox bank's own table.
 */
export class ChargesAndWebhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table stores (
        id text primary key,
        name text not null,
        city text not null,
        tax_id text,
        website text,
        created_at timestamptz not null
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
        deleted_at timestamptz
      );
      create unique index customers_by_tax_id on customers (store_id, dev_mode, tax_id) where deleted_at is null;
      create table charges (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        method text not null,
        status text not null,
        amount_cents bigint not null check (amount_cents between 1 and 9999999999),
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
        br_code text not null,
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
        unique (provider, provider_reference),
        check ((paid_at is null) = (paid_amount_cents is null))
      );
      create unique index charges_by_external_id on charges (store_id, dev_mode, external_id) where external_id is not null;
      create index charges_newest_first on charges (store_id, dev_mode, created_at, id);
      create index charges_without_workflow on charges (created_at) where workflow_started_at is null;
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
        unique (provider, provider_payment_id)
      );
      create unique index payments_accepted_once on payments (charge_id) where outcome = 'ACCEPTED';
      create table events (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        name text not null,
        key text not null unique,
        data text not null,
        created_at timestamptz not null
      );
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
        deleted_at timestamptz
      );
      create index webhooks_newest_first on webhooks (store_id, dev_mode, created_at, id) where deleted_at is null;
      create table deliveries (
        id text primary key,
        event_id text not null references events (id),
        webhook_id text not null references webhooks (id),
        status text not null,
        attempts integer not null,
        next_attempt_at timestamptz,
        created_at timestamptz not null,
        finished_at timestamptz,
        unique (event_id, webhook_id)
      );
      create index deliveries_newest_first on deliveries (webhook_id, created_at, id);
      create table delivery_attempts (
        delivery_id text not null references deliveries (id),
        attempt_key text not null,
        started_at timestamptz not null,
        duration_ms integer not null,
        status_code integer,
        response_excerpt text not null,
        error text,
        primary key (delivery_id, attempt_key)
      );
      create table idempotency_records (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        key text not null,
        request_hash text not null,
        status integer not null,
        body text not null,
        created_at timestamptz not null,
        primary key (store_id, dev_mode, key)
      );
      create index idempotency_records_by_age on idempotency_records (created_at);
      create table sandbox_charges (
        reference text primary key,
        status text not null,
        payment_id text unique,
        amount_cents bigint,
        paid_at timestamptz,
        payer_name text,
        payer_tax_id text,
        notified_at timestamptz
      );
      create sequence sandbox_our_number maxvalue 99999999999;
      create index sandbox_charges_to_notify on sandbox_charges (paid_at) where status = 'PAID' and notified_at is null;
    `);
  }
}
