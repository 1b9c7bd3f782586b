import { Migration } from '@mikro-orm/migrations';

/** The ledger, refunds, disputes and payouts. The money of existing payments becomes available at once. */
export class Ledger extends Migration {
  override up(): void {
    this.addSql(`
      create table ledger_movements (
        subject_id text not null,
        kind text not null,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        clearing_cents bigint not null,
        pending_cents bigint not null,
        available_cents bigint not null,
        blocked_cents bigint not null,
        outgoing_cents bigint not null,
        platform_fees_cents bigint not null,
        created_at timestamptz not null,
        primary key (subject_id, kind),
        constraint ledger_movements_balanced check (
          clearing_cents = pending_cents + available_cents + blocked_cents + outgoing_cents + platform_fees_cents
        )
      );
      create table ledger_balances (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        clearing_cents bigint not null,
        pending_cents bigint not null,
        available_cents bigint not null,
        blocked_cents bigint not null,
        outgoing_cents bigint not null,
        platform_fees_cents bigint not null,
        primary key (store_id, dev_mode)
      ) with (fillfactor = 50);
      create function add_movements_to_balances() returns trigger language plpgsql as $$
      begin
        insert into ledger_balances
        select store_id, dev_mode, sum(clearing_cents), sum(pending_cents), sum(available_cents), sum(blocked_cents),
          sum(outgoing_cents), sum(platform_fees_cents)
        from added group by store_id, dev_mode order by store_id, dev_mode
        on conflict (store_id, dev_mode) do update set
          clearing_cents = ledger_balances.clearing_cents + excluded.clearing_cents,
          pending_cents = ledger_balances.pending_cents + excluded.pending_cents,
          available_cents = ledger_balances.available_cents + excluded.available_cents,
          blocked_cents = ledger_balances.blocked_cents + excluded.blocked_cents,
          outgoing_cents = ledger_balances.outgoing_cents + excluded.outgoing_cents,
          platform_fees_cents = ledger_balances.platform_fees_cents + excluded.platform_fees_cents;
        return null;
      end $$;
      create trigger ledger_movements_are_counted after insert on ledger_movements
        referencing new table as added for each statement execute function add_movements_to_balances();
      create function refuse_to_change_the_ledger() returns trigger language plpgsql as $$
      begin
        raise exception 'what is in the ledger is never changed: correct it by another movement';
      end $$;
      create trigger ledger_movements_never_change before update or delete or truncate on ledger_movements
        for each statement execute function refuse_to_change_the_ledger();
      create view ledger_entries as
        select movement.subject_id, movement.kind, movement.store_id, movement.dev_mode, entry.account, entry.amount_cents,
          movement.created_at
        from ledger_movements movement, lateral (values
          ('CLEARING', clearing_cents), ('PENDING', pending_cents), ('AVAILABLE', available_cents),
          ('BLOCKED', blocked_cents), ('OUTGOING', outgoing_cents), ('PLATFORM_FEES', platform_fees_cents)
        ) entry (account, amount_cents)
        where entry.amount_cents <> 0;
      create table refunds (
        id text primary key,
        charge_id text not null references charges (id),
        store_id text not null references stores (id),
        dev_mode boolean not null,
        status text not null,
        amount_cents bigint not null check (amount_cents > 0),
        reason text,
        refusal text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        check ((status = 'FAILED') = (refusal is not null))
      );
      create unique index refunds_once_per_charge on refunds (charge_id) where status <> 'FAILED';
      create index refunds_to_resume on refunds (created_at) where status = 'REQUESTED';
      create table disputes (
        id text primary key,
        charge_id text not null references charges (id),
        provider text not null,
        provider_dispute_id text not null,
        status text not null,
        reason text,
        opened_at timestamptz not null,
        closed_at timestamptz,
        unique (provider, provider_dispute_id),
        check ((status = 'OPEN') = (closed_at is null))
      );
      create unique index disputes_open_once on disputes (charge_id) where status = 'OPEN';
      create table payouts (
        id text primary key,
        kind text not null,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        status text not null,
        amount_cents bigint not null check (amount_cents between 1 and 9999999999),
        platform_fee_cents bigint not null check (platform_fee_cents >= 0),
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
        unique (store_id, dev_mode, kind, external_id)
      );
      create index payouts_newest_first on payouts (store_id, dev_mode, kind, created_at, id);
      create index payouts_without_workflow on payouts (created_at) where workflow_started_at is null;
      create table sandbox_disputes (
        id text primary key,
        reference text not null,
        status text not null,
        reason text,
        opened_at timestamptz not null,
        changed_at timestamptz not null,
        told_status text
      );
      create unique index sandbox_disputes_open_once on sandbox_disputes (reference) where status = 'OPEN';
      create index sandbox_disputes_to_tell on sandbox_disputes (changed_at) where told_status is distinct from status;
      create table sandbox_transfers (
        reference text primary key,
        end_to_end_identifier text,
        failure_reason text,
        completes_at timestamptz not null
      );
      alter table charges
        add column settles_at timestamptz,
        add column settled_at timestamptz,
        add column refund_id text references refunds (id);
      update charges set settles_at = paid_at, settled_at = paid_at where paid_at is not null;
      insert into ledger_movements
        select id, 'PAYMENT', store_id, dev_mode, paid_amount_cents, 0, paid_amount_cents - platform_fee_cents, 0, 0,
          platform_fee_cents, paid_at
        from charges where status = 'PAID' and paid_amount_cents > 0;
      alter table charges add check ((paid_at is null) = (settles_at is null));
      create index charges_to_settle on charges (store_id, dev_mode, settles_at) where settles_at is not null and settled_at is null;
      alter table checkouts add column allow_coupons boolean not null default false;
      update checkouts set allow_coupons = cardinality(coupons) > 0;
      alter table events add column customer_id text;
      update events set customer_id = data::json -> 'customer' ->> 'id';
      create index events_by_customer on events (customer_id, id) where customer_id is not null;
      create index charges_by_customer on charges (customer_id) where customer_id is not null;
      alter table deliveries add column workflow_started_at timestamptz default now();
      alter table deliveries alter column workflow_started_at drop default;
      create index deliveries_without_workflow on deliveries (created_at) where workflow_started_at is null;
      create index webhooks_of_v1 on webhooks (store_id, dev_mode) where not v2 and deleted_at is null and disabled_at is null;
    `);
  }
}
