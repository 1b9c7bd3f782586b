import { OnlineMigration } from './online-migration.ts';

/** New movements are numbered from here, and existing ones from 1, so there is room for all of them. */
const FIRST_SEQUENCE = 1_000_000_000_000;

/** The entries of a movement: for each account of the store, the amount and the balance after it. */
const ENTRIES = (of: string) => `(values
  ('AVAILABLE', each.available_cents, ${of}available_cents),
  ('PENDING', each.pending_cents, ${of}pending_cents),
  ('BLOCKED', each.blocked_cents, ${of}blocked_cents)
) entry (account, amount_cents, balance_cents)`;

/**
 * One list of payments of every kind, the ledger as a statement, and a search by `metadata`.
 *
 * The statement has an entry for each account of the store that a movement changes, with the account's balance after it. The
 * trigger that adds movements to the balances writes the entries. It locks the balance until its transaction ends, so entries
 * are numbered in commit order, and no entry is inserted between two others. The time of an entry is that of the movement in
 * whole milliseconds, as in cursors, but never earlier than that of the entry before it.
 *
 * Existing movements get their entries in the order of their time. Processes of the previous release need no change, as the
 * trigger writes entries for them.
 */
export class PaymentsAndStatement extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table payments add column if not exists end_to_end_identifier text');
    await this.indexes();
    await this.statement();
    await this.statementOfBefore();
    await this.metadata();
  }

  private async indexes(): Promise<void> {
    await this.index('charges_by_method', 'charges (store_id, dev_mode, method, status, created_at, id)');
    await this.index(
      'charges_by_payment',
      'charges (store_id, dev_mode, method, status, paid_at, id) where paid_at is not null',
    );
    await this.index(
      'charges_of_checkout',
      'charges (checkout_id, method, status, created_at, id) where checkout_id is not null',
    );
    await this.index(
      'charges_of_customer',
      'charges (customer_id, created_at, id) where customer_id is not null',
    );
    await this.execute('drop index concurrently if exists charges_by_customer');
    await this.index(
      'checkouts_of_customer',
      'checkouts (customer_id, created_at, id) where customer_id is not null',
    );
    await this.execute('drop index concurrently if exists checkouts_by_customer');
    await this.index('subscriptions_by_status', 'subscriptions (store_id, dev_mode, status, created_at, id)');
    await this.index('refunds_of_charge', 'refunds (charge_id, created_at, id)');
    await this.index('disputes_of_charge', 'disputes (charge_id, opened_at, id)');
  }

  /** The lock waits for transactions that write movements: movements of one that used the previous trigger would be in no entry. */
  private statement(): Promise<void> {
    return this.change(`
      lock table ledger_movements in share row exclusive mode;
      create table if not exists statement_entries (
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
      create or replace trigger statement_entries_never_change before update or delete or truncate on statement_entries
        for each statement execute function refuse_to_change_the_ledger();
      alter table ledger_balances
        add column if not exists last_sequence bigint not null default ${FIRST_SEQUENCE},
        add column if not exists booked_at timestamptz;
      create or replace function add_movements_to_balances() returns trigger language plpgsql as $$
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
        ) each join ledger_balances balance using (store_id, dev_mode), lateral ${ENTRIES('balance.')}
        where amount_cents <> 0;
        return null;
      end $$;
    `);
  }

  /** A single SQL statement, so it applies fully or not at all. It blocks no other transaction. */
  private async statementOfBefore(): Promise<void> {
    await this.execute(`
      with each as (
        select movement.*,
          row_number() over (whose order by movement.created_at, movement.subject_id, movement.kind) as sequence,
          max(movement.created_at) over (whose order by movement.created_at) as at
        from ledger_movements movement
        where not exists (select from statement_entries where sequence < ${FIRST_SEQUENCE})
          and not exists (
            select from statement_entries entry
            where entry.store_id = movement.store_id and entry.dev_mode = movement.dev_mode
              and entry.subject_id = movement.subject_id and entry.kind = movement.kind)
        window whose as (partition by movement.store_id, movement.dev_mode)
      ), since as (
        select store_id, dev_mode, min(booked_at) as booked_at from statement_entries group by store_id, dev_mode
      )
      insert into statement_entries (store_id, dev_mode, account, kind, booked_at, sequence, subject_id, amount_cents,
        balance_after_cents)
      select store_id, dev_mode, account, kind, date_trunc('milliseconds', least(each.at, since.booked_at)), sequence, subject_id, amount_cents,
        sum(amount_cents) over (partition by store_id, dev_mode, account order by sequence)
      from each left join since using (store_id, dev_mode), lateral ${ENTRIES('each.')}
      where amount_cents <> 0`);
  }

  /**
   * The entries of the `metadata` of charges, checkouts and customers, in the order of their lists. Only texts, numbers and
   * booleans are included, as JSON prints them. The kind of a checkout is its frequency, as in the lists. Long keys and values
   * are left out, because an index row has little space.
   */
  private async metadata(): Promise<void> {
    const entries = (of: string, kind: string) => `
      select ${of}.store_id, ${of}.dev_mode, ${kind}, each.key, each.value #>> '{}', ${of}.created_at, ${of}.id
      from json_each(${of}.metadata) each
      where json_typeof(each.value) in ('string', 'number', 'boolean')
        and length(each.key) <= 100 and length(each.value #>> '{}') <= 255`;
    await this.change(`
      create table if not exists metadata_entries (
        store_id text not null,
        dev_mode boolean not null,
        kind text not null,
        key text not null,
        value text not null,
        created_at timestamptz not null,
        id text not null,
        primary key (store_id, dev_mode, kind, key, value, created_at, id)
      );
      create or replace function write_metadata_entries() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from metadata_entries entry using (${entries('old', 'tg_argv[0]')}) gone (store_id, dev_mode, kind, key, value, created_at, id)
          where entry.store_id = gone.store_id and entry.dev_mode = gone.dev_mode and entry.kind = gone.kind
            and entry.key = gone.key and entry.value = gone.value and entry.created_at = gone.created_at and entry.id = gone.id;
        end if;
        insert into metadata_entries ${entries('new', 'tg_argv[0]')} on conflict do nothing;
        return null;
      end $$;`);
    const frequencies = ['ONE_TIME', 'MULTIPLE_PAYMENTS', 'SUBSCRIPTION'] as const;
    const kinds = [
      ['charges', 'CHARGE', ''],
      ['customers', 'CUSTOMER', ''],
      ...frequencies.map(
        (frequency) => ['checkouts', frequency, `new.frequency = '${frequency}' and `] as const,
      ),
    ] as const;
    for (const [table, kind, only] of kinds) {
      const name = `${table}_metadata_${kind.toLowerCase()}`;
      await this.change(`
        create or replace trigger ${name} after insert on ${table} for each row
          when (${only}new.metadata::text <> '{}') execute function write_metadata_entries('${kind}');
        create or replace trigger ${name}_changed after update of metadata on ${table} for each row
          when (${only}old.metadata::text <> new.metadata::text) execute function write_metadata_entries('${kind}')`);
      await this.inBatches(`
        with batch as (
          select * from ${table} new where ${only}id > :after and metadata::text <> '{}' order by id limit 5000
        ), done as (
          insert into metadata_entries
          select entry.* from batch, lateral (${entries('batch', `'${kind}'`)}) entry on conflict do nothing
        )
        select max(id) as last from batch`);
    }
  }
}
