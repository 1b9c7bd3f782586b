import { OnlineMigration } from './online-migration.ts';

/** Adds the amounts of the rows to the balances of the provider accounts that they name. */
const SUMS_BY_ACCOUNT = (rows: string) => `
  insert into clearing_balances (store_id, dev_mode, provider, clearing_cents, available_cents)
  select store_id, dev_mode, provider, sum(clearing_cents), sum(available_cents)
  from ${rows} where not dev_mode group by 1, 2, 3 order by 1, 2, 3
  on conflict (store_id, dev_mode, provider) do update set
    clearing_cents = clearing_balances.clearing_cents + excluded.clearing_cents,
    available_cents = clearing_balances.available_cents + excluded.available_cents`;

const GUARD = 'before update or delete or truncate on ledger_movements for each statement';

/**
 * Every movement names the provider account that holds its money. For each account in production, `clearing_balances` has the
 * money at it, and how much of that is part of the store's available balance. Dev environments have no rows there: their only
 * account is the sandbox, and the store's balance is the money at it. So a payment in dev mode costs no more than before.
 *
 * The previous release writes movements without an account. A trigger finds the account by the subject of the movement. A later
 * release may drop that trigger, as the columns can never be null.
 *
 * Existing movements get their account in the same way, some thousand rows at a time. Each batch adds its amounts to
 * `clearing_balances` in the same statement, so an interrupted migration counts nothing twice. While it runs, the guard of the
 * ledger allows an update that gives a movement its account and changes nothing else.
 */
export class ClearingByAccount extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table ledger_movements add column if not exists provider text');
    await this.attributeNewMovements();
    await this.attributeExistingMovements();
    await this.change(`
      alter table ledger_movements drop constraint if exists ledger_movements_name_their_account,
        add constraint ledger_movements_name_their_account check (provider is not null) not valid`);
    await this.execute(
      'alter table ledger_movements validate constraint ledger_movements_name_their_account',
    );
    await this.change(`
      create or replace view ledger_entries as
        select movement.subject_id, movement.kind, movement.store_id, movement.dev_mode, entry.account, entry.amount_cents,
          movement.created_at, movement.provider
        from ledger_movements movement, lateral (values
          ('CLEARING', clearing_cents), ('PENDING', pending_cents), ('AVAILABLE', available_cents),
          ('BLOCKED', blocked_cents), ('OUTGOING', outgoing_cents), ('PLATFORM_FEES', platform_fees_cents),
          ('SUSPENSE', suspense_cents)
        ) entry (account, amount_cents)
        where entry.amount_cents <> 0`);
  }

  /** Waits for writers: a movement of a transaction that began before the triggers would be counted at no account. */
  private attributeNewMovements(): Promise<void> {
    return this.change(`
      lock table ledger_movements in share row exclusive mode;
      create table if not exists clearing_balances (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        provider text not null,
        clearing_cents bigint not null,
        available_cents bigint not null,
        primary key (store_id, dev_mode, provider)
      ) with (fillfactor = 50);
      create table if not exists clearing_checkpoints (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        provider text not null,
        up_to_number bigint not null,
        clearing_cents bigint not null,
        available_cents bigint not null,
        primary key (store_id, dev_mode, provider)
      );
      create or replace function account_of_movement(subject text) returns text stable language sql as $$
        select coalesce(
          (select provider from charges where id = subject),
          (select charge.provider from refunds refund join charges charge on charge.id = refund.charge_id where refund.id = subject),
          (select provider from payouts where id = subject),
          (select provider from payments where id = subject),
          (select provider from disputes where id = subject),
          'unknown')
      $$;
      create or replace function name_account_of_movement() returns trigger language plpgsql as $$
      begin
        new.provider := case when new.dev_mode then 'sandbox' else account_of_movement(new.subject_id) end;
        return new;
      end $$;
      create or replace trigger ledger_movements_name_their_account before insert on ledger_movements
        for each row when (new.provider is null) execute function name_account_of_movement();
      create or replace function add_movements_to_accounts() returns trigger language plpgsql as $$
      begin
        if exists (select from added where not dev_mode) then
          ${SUMS_BY_ACCOUNT('added')};
        end if;
        return null;
      end $$;
      -- Triggers run in the order of their names: this one after ledger_movements_are_counted, whose lock it needs.
      create or replace trigger movements_are_added_to_their_account after insert on ledger_movements
        referencing new table as added for each statement execute function add_movements_to_accounts();
    `);
  }

  private async attributeExistingMovements(): Promise<void> {
    await this.change(`
      create or replace function let_movements_be_attributed() returns trigger language plpgsql as $$
      begin
        if old.provider is not null or to_jsonb(new) - 'provider' <> to_jsonb(old) - 'provider' then
          raise exception 'what is in the ledger is never changed: correct it by another movement';
        end if;
        return new;
      end $$;
      create or replace trigger ledger_movements_are_attributed_once before update on ledger_movements
        for each row execute function let_movements_be_attributed();
      create or replace trigger ledger_movements_never_change before delete or truncate on ledger_movements
        for each statement execute function refuse_to_change_the_ledger()`);
    await this.inBatches(`
      with page as (
        select subject_id from ledger_movements where subject_id > :after order by subject_id limit 5000
      ), batch as (
        select subject_id, kind, case when dev_mode then 'sandbox' else account_of_movement(subject_id) end as provider
        from ledger_movements
        where subject_id > :after and subject_id <= (select max(subject_id) from page) and provider is null
      ), attributed as (
        update ledger_movements movement set provider = batch.provider from batch
        where movement.subject_id = batch.subject_id and movement.kind = batch.kind
        returning movement.*
      ), counted as (${SUMS_BY_ACCOUNT('attributed')})
      select max(subject_id) as last from page`);
    await this.change(`
      create or replace trigger ledger_movements_never_change ${GUARD} execute function refuse_to_change_the_ledger();
      drop trigger if exists ledger_movements_are_attributed_once on ledger_movements;
      drop function if exists let_movements_be_attributed()`);
  }
}
