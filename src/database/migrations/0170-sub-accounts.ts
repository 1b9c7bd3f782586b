import { OnlineMigration } from './online-migration.ts';

/** The accounts of a movement that are the store's counterpart of `clearing_cents`. */
const PARTS = [
  'pending_cents',
  'available_cents',
  'blocked_cents',
  'outgoing_cents',
  'platform_fees_cents',
  'suspense_cents',
  'sub_accounts_cents',
];
const AMOUNTS = ['clearing_cents', ...PARTS];
const SUMS = AMOUNTS.map((column) => `sum(${column})`).join(', ');
const ADDED_TO = (table: string, columns: readonly string[]) =>
  columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

/**
 * Sub-accounts: money of third parties in the books of a store, as one more account of the ledger. Nothing existing holds any.
 *
 * A process of the previous release writes movements without the new column, and means nothing by that. It accepts payments of
 * charges that only this release splits; it does not know their splits, so all processes are replaced before stores split charges.
 */
export class SubAccounts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists sub_accounts (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        name text not null,
        tax_id text not null,
        tax_id_hash text,
        external_id text,
        metadata json not null,
        balance_cents bigint not null default 0 check (balance_cents >= 0),
        entry_count bigint not null default 0,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create table if not exists sub_account_entries (
        id text primary key,
        sub_account_id text not null references sub_accounts (id),
        store_id text not null references stores (id),
        dev_mode boolean not null,
        number bigint not null,
        kind text not null,
        subject_id text not null,
        charge_id text references charges (id),
        payout_id text references payouts (id),
        amount_cents bigint not null check (amount_cents <> 0),
        balance_after_cents bigint not null check (balance_after_cents >= 0),
        created_at timestamptz not null,
        constraint sub_account_entries_once unique (sub_account_id, kind, subject_id),
        constraint sub_account_entries_without_gaps unique (sub_account_id, number),
        check (num_nonnulls(charge_id, payout_id) = 1),
        check (kind in ('PAYMENT', 'REFUND_RESERVED', 'REFUND_FAILED', 'REFUND_REVIVED', 'DISPUTE_OPENED', 'DISPUTE_WON', 'PAYOUT_RESERVED', 'PAYOUT_FAILED', 'PAYOUT_REVIVED', 'PAYOUT_RETURNED'))
      );
      create or replace trigger sub_account_entries_never_change before update or delete or truncate on sub_account_entries
        for each statement execute function refuse_to_change_the_ledger();
      alter table charges add column if not exists splits json;
      alter table payouts add column if not exists sub_account_id text;
      alter table ledger_movements add column if not exists sub_accounts_cents bigint not null default 0;
      alter table ledger_balances add column if not exists sub_accounts_cents bigint not null default 0;
      alter table ledger_checkpoints add column if not exists sub_accounts_cents bigint not null default 0;
      alter table clearing_balances add column if not exists sub_accounts_cents bigint not null default 0;
      alter table clearing_checkpoints add column if not exists sub_accounts_cents bigint not null default 0;
      alter table ledger_movements drop constraint if exists ledger_movements_balance_with_sub_accounts,
        add constraint ledger_movements_balance_with_sub_accounts check (clearing_cents = ${PARTS.join(' + ')}) not valid;
      create or replace view ledger_entries as
        select movement.subject_id, movement.kind, movement.store_id, movement.dev_mode, entry.account, entry.amount_cents,
          movement.created_at, movement.provider
        from ledger_movements movement, lateral (values
          ('CLEARING', clearing_cents), ('PENDING', pending_cents), ('AVAILABLE', available_cents),
          ('BLOCKED', blocked_cents), ('OUTGOING', outgoing_cents), ('PLATFORM_FEES', platform_fees_cents),
          ('SUSPENSE', suspense_cents), ('SUB_ACCOUNTS', sub_accounts_cents)
        ) entry (account, amount_cents)
        where entry.amount_cents <> 0`);
    await this.execute(
      'alter table ledger_movements validate constraint ledger_movements_balance_with_sub_accounts',
    );
    await this.change(`
      alter table ledger_movements drop constraint if exists ledger_movements_balanced;
      alter table ledger_movements rename constraint ledger_movements_balance_with_sub_accounts to ledger_movements_balanced;
      lock table ledger_movements in share row exclusive mode;
      ${METHOD_OF_MOVEMENT}
      ${COUNT_MOVEMENTS}
      ${COUNT_BY_ACCOUNT}`);
    await this.uniqueIndex(
      'sub_accounts_by_tax_id_hash',
      'sub_accounts (store_id, dev_mode, tax_id_hash) where tax_id_hash is not null',
    );
    await this.uniqueIndex('sub_accounts_by_tax_id', 'sub_accounts (store_id, dev_mode, tax_id)');
    await this.index('sub_accounts_newest_first', 'sub_accounts (store_id, dev_mode, created_at, id)');
    await this.index(
      'sub_account_entries_newest_first',
      'sub_account_entries (sub_account_id, created_at, id)',
    );
    await this.index(
      'sub_account_entries_of_charge',
      'sub_account_entries (charge_id) where charge_id is not null',
    );
    await this.index(
      'sub_account_entries_of_payout',
      'sub_account_entries (payout_id) where payout_id is not null',
    );
    await this.index('sub_account_entries_of_store', 'sub_account_entries (store_id, dev_mode)');
    await this.index(
      'payouts_of_sub_account',
      'payouts (sub_account_id, created_at, id) where sub_account_id is not null',
    );
  }
}

/** The function of 0169, which also knows sub-accounts: only PIX payments are split. */
const METHOD_OF_MOVEMENT = `
  create or replace function method_of_movement(subject text, kind text) returns text language plpgsql stable as $$
  declare charge text := subject;
  begin
    if kind like 'PAYOUT%' or kind like 'SUB_ACCOUNT%' then return 'PIX'; end if;
    if kind not in ('PAYMENT', 'SETTLEMENT') or subject not similar to '(pix_char|bole|card|char)\\_%' then
      charge := coalesce(
        (select charge_id from refunds where id = subject),
        (select charge_id from receivables where id = subject),
        (select charge_id from disputes where id = subject),
        (select dispute.charge_id from dispute_fees fee join disputes dispute on dispute.id = fee.dispute_id where fee.id = subject),
        (select charge_id from excess_takings where id = subject));
    end if;
    return case when starts_with(charge, 'pix_char_') then 'PIX' when starts_with(charge, 'bole_') then 'BOLETO'
      when starts_with(charge, 'card_') then 'CARD' when starts_with(charge, 'char_') then 'FREE' end;
  end $$;`;

/** The function of 0169, with the new account. */
const COUNT_MOVEMENTS = `
  create or replace function add_movements_to_balances() returns trigger language plpgsql as $$
  begin
    insert into ledger_balances (store_id, dev_mode, ${AMOUNTS.join(', ')}, last_sequence, booked_at)
    select store_id, dev_mode, ${SUMS}, 1000000000000 + count(*), date_trunc('milliseconds', max(created_at))
    from added group by store_id, dev_mode order by store_id, dev_mode
    on conflict (store_id, dev_mode) do update set ${ADDED_TO('ledger_balances', AMOUNTS)},
      last_sequence = ledger_balances.last_sequence + excluded.last_sequence - 1000000000000,
      booked_at = greatest(ledger_balances.booked_at, excluded.booked_at);
    insert into statement_entries (store_id, dev_mode, account, kind, booked_at, sequence, subject_id, amount_cents,
      balance_after_cents, method)
    select store_id, dev_mode, account, kind, balance.booked_at, balance.last_sequence - each.later, subject_id,
      amount_cents, balance_cents - coalesce(sum(amount_cents) over (
        partition by store_id, dev_mode, account order by each.later desc rows between 1 following and unbounded following
      ), 0), method_of_movement(subject_id, kind)
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
  end $$;`;

const BY_ACCOUNT = ['clearing_cents', 'available_cents', 'sub_accounts_cents'];

/** The function of 0047, with the new account. */
const COUNT_BY_ACCOUNT = `
  create or replace function add_movements_to_accounts() returns trigger language plpgsql as $$
  begin
    if exists (select from added where not dev_mode) then
      insert into clearing_balances (store_id, dev_mode, provider, ${BY_ACCOUNT.join(', ')})
      select store_id, dev_mode, provider, ${BY_ACCOUNT.map((column) => `sum(${column})`).join(', ')}
      from added where not dev_mode group by 1, 2, 3 order by 1, 2, 3
      on conflict (store_id, dev_mode, provider) do update set ${ADDED_TO('clearing_balances', BY_ACCOUNT)};
    end if;
    return null;
  end $$;`;
