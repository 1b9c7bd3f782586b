/** Movements are numbered from here. The statement of the earliest movements was numbered from 1. */
const FIRST_SEQUENCE = 1_000_000_000_000;

/** The ledger, the balances and the statement that its triggers write, and the sums of each day. */
export const LEDGER = `
  create sequence ledger_movements_number;
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
    suspense_cents bigint not null default 0,
    number bigint default nextval('ledger_movements_number'),
    primary key (subject_id, kind),
    constraint ledger_movements_balanced check (
      clearing_cents = (pending_cents + available_cents + blocked_cents + outgoing_cents + platform_fees_cents + suspense_cents)
    )
  );
  create index ledger_movements_by_number on ledger_movements using brin (number) with (pages_per_range = 32, autosummarize = on);
  alter sequence ledger_movements_number owned by ledger_movements.number;
  create table ledger_balances (
    store_id text not null references stores (id),
    dev_mode boolean not null,
    clearing_cents bigint not null,
    pending_cents bigint not null,
    available_cents bigint not null,
    blocked_cents bigint not null,
    outgoing_cents bigint not null,
    platform_fees_cents bigint not null,
    suspense_cents bigint not null default 0,
    last_sequence bigint not null default ${FIRST_SEQUENCE},
    booked_at timestamptz,
    primary key (store_id, dev_mode)
  ) with (fillfactor = 50);
  create table ledger_checkpoints (
    store_id text not null references stores (id),
    dev_mode boolean not null,
    up_to_number bigint not null,
    movements bigint not null,
    clearing_cents bigint not null,
    pending_cents bigint not null,
    available_cents bigint not null,
    blocked_cents bigint not null,
    outgoing_cents bigint not null,
    platform_fees_cents bigint not null,
    suspense_cents bigint not null,
    verified_at timestamptz not null,
    primary key (store_id, dev_mode)
  );
  create table statement_entries (
    store_id text not null,
    dev_mode boolean not null,
    account text not null,
    kind text not null,
    booked_at timestamptz not null,
    sequence bigint not null,
    subject_id text not null,
    amount_cents bigint not null,
    balance_after_cents bigint not null,
    primary key (store_id, dev_mode, account, kind, booked_at, sequence)
  );
  create table daily_payments (
    store_id text not null,
    dev_mode boolean not null,
    day date not null,
    method text not null,
    paid_count bigint not null,
    paid_cents numeric not null,
    primary key (store_id, dev_mode, day, method)
  ) with (fillfactor = 50);
  create view ledger_entries as
    select subject_id, kind, store_id, dev_mode, account, amount_cents, created_at
    from ledger_movements movement, lateral (values
      ('CLEARING', movement.clearing_cents), ('PENDING', movement.pending_cents),
      ('AVAILABLE', movement.available_cents), ('BLOCKED', movement.blocked_cents),
      ('OUTGOING', movement.outgoing_cents), ('PLATFORM_FEES', movement.platform_fees_cents),
      ('SUSPENSE', movement.suspense_cents)
    ) entry (account, amount_cents)
    where amount_cents <> 0;
  create function refuse_to_change_the_ledger() returns trigger language plpgsql as $$
      begin
        raise exception 'what is in the ledger is never changed: correct it by another movement';
      end $$;
  create trigger ledger_movements_never_change before update or delete or truncate on ledger_movements
    for each statement execute function refuse_to_change_the_ledger();
  create trigger statement_entries_never_change before update or delete or truncate on statement_entries
    for each statement execute function refuse_to_change_the_ledger();
  create function add_movements_to_balances() returns trigger language plpgsql as $$
      begin
        insert into ledger_balances (store_id, dev_mode, clearing_cents, pending_cents, available_cents, blocked_cents,
          outgoing_cents, platform_fees_cents, suspense_cents, last_sequence, booked_at)
        select store_id, dev_mode, sum(clearing_cents), sum(pending_cents), sum(available_cents), sum(blocked_cents),
          sum(outgoing_cents), sum(platform_fees_cents), sum(suspense_cents), ${FIRST_SEQUENCE} + count(*), date_trunc('milliseconds', max(created_at))
        from added group by store_id, dev_mode order by store_id, dev_mode
        on conflict (store_id, dev_mode) do update set
          clearing_cents = ledger_balances.clearing_cents + excluded.clearing_cents,
          pending_cents = ledger_balances.pending_cents + excluded.pending_cents,
          available_cents = ledger_balances.available_cents + excluded.available_cents,
          blocked_cents = ledger_balances.blocked_cents + excluded.blocked_cents,
          outgoing_cents = ledger_balances.outgoing_cents + excluded.outgoing_cents,
          platform_fees_cents = ledger_balances.platform_fees_cents + excluded.platform_fees_cents,
          suspense_cents = ledger_balances.suspense_cents + excluded.suspense_cents,
          last_sequence = ledger_balances.last_sequence + excluded.last_sequence - ${FIRST_SEQUENCE},
          booked_at = greatest(ledger_balances.booked_at, excluded.booked_at);
        insert into statement_entries (store_id, dev_mode, account, kind, booked_at, sequence, subject_id, amount_cents,
          balance_after_cents)
        select store_id, dev_mode, account, kind, balance.booked_at, balance.last_sequence - each.later, subject_id,
          amount_cents, balance_cents - coalesce(sum(amount_cents) over (
            partition by store_id, dev_mode, account order by each.later desc rows between 1 following and unbounded following
          ), 0)
        from (
          select added.*, count(*) over whose - row_number() over (whose order by created_at, subject_id, kind) as later
          from added window whose as (partition by store_id, dev_mode)
        ) each join ledger_balances balance using (store_id, dev_mode), lateral (values
  ('AVAILABLE', each.available_cents, balance.available_cents),
  ('PENDING', each.pending_cents, balance.pending_cents),
  ('BLOCKED', each.blocked_cents, balance.blocked_cents)
) entry (account, amount_cents, balance_cents)
        where amount_cents <> 0;
        return null;
      end $$;
  create trigger ledger_movements_are_counted after insert on ledger_movements
    referencing new table as added for each statement execute function add_movements_to_balances();
  create function add_payments_to_their_day() returns trigger language plpgsql as $$
      begin
        insert into daily_payments
        select added.store_id, added.dev_mode, (charge.paid_at at time zone 'America/Sao_Paulo')::date, charge.method, count(*), sum(charge.paid_amount_cents)
        from added join charges charge on charge.id = added.subject_id
        where added.kind = 'PAYMENT' and charge.paid_amount_cents > 0
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (store_id, dev_mode, day, method) do update set
          paid_count = daily_payments.paid_count + excluded.paid_count,
          paid_cents = daily_payments.paid_cents + excluded.paid_cents;
        return null;
      end $$;
  create trigger payments_are_added_to_their_day after insert on ledger_movements
    referencing new table as added for each statement execute function add_payments_to_their_day();
`;
