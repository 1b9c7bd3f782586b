import { OnlineMigration } from './online-migration.ts';

/** The primary key of `statement_entries`. */
const KEY = ['store_id', 'dev_mode', 'account', 'kind', 'booked_at', 'sequence'];

/** What else an entry says. */
const VALUES = ['subject_id', 'amount_cents', 'balance_after_cents'];

const of = (row: string, columns: readonly string[]) =>
  columns.map((column) => `${row}.${column}`).join(', ');

/** Entries that are given their method at a time. */
const BATCH = 5_000;

/**
 * The method of a payment, or of the payment that was refunded or disputed, in each entry of the statement, with an index by it.
 * The trigger that writes entries looks it up, so that processes of the release before need not know. Writers of movements are
 * waited for: one that began with the earlier trigger would write none.
 */
export class StatementMethods extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      lock table ledger_movements in share row exclusive mode;
      alter table statement_entries add column if not exists method text;
      ${METHOD_OF_MOVEMENT}
      ${TRIGGER_OF_MOVEMENTS}
      create or replace trigger statement_entries_never_change before delete or truncate on statement_entries
        for each statement execute function refuse_to_change_the_ledger();
      create or replace trigger statement_entries_keep_their_values before update on statement_entries
        for each row when (old.method is not null or (${of('old', [...KEY, ...VALUES])}) is distinct from (${of('new', [...KEY, ...VALUES])}))
        execute function refuse_to_change_the_ledger();
    `);
    await this.inBatches(METHODS_OF_BEFORE);
    await this.index(
      'statement_entries_of_method',
      'statement_entries (store_id, dev_mode, method, account, kind, booked_at, sequence)',
    );
  }
}

/** Ids of charges begin with their method; null if the subject is not about a charge or payout. */
const METHOD_OF_MOVEMENT = `
  create or replace function method_of_movement(subject text, kind text) returns text language plpgsql stable as $$
  declare charge text := subject;
  begin
    if kind like 'PAYOUT%' then return 'PIX'; end if;
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

/** The function of 0038, which now also writes the method. */
const TRIGGER_OF_MOVEMENTS = `
  create or replace function add_movements_to_balances() returns trigger language plpgsql as $$
  begin
    insert into ledger_balances (store_id, dev_mode, clearing_cents, pending_cents, available_cents, blocked_cents,
      outgoing_cents, platform_fees_cents, suspense_cents, last_sequence, booked_at)
    select store_id, dev_mode, sum(clearing_cents), sum(pending_cents), sum(available_cents), sum(blocked_cents),
      sum(outgoing_cents), sum(platform_fees_cents), sum(suspense_cents), 1000000000000 + count(*), date_trunc('milliseconds', max(created_at))
    from added group by store_id, dev_mode order by store_id, dev_mode
    on conflict (store_id, dev_mode) do update set
      clearing_cents = ledger_balances.clearing_cents + excluded.clearing_cents,
      pending_cents = ledger_balances.pending_cents + excluded.pending_cents,
      available_cents = ledger_balances.available_cents + excluded.available_cents,
      blocked_cents = ledger_balances.blocked_cents + excluded.blocked_cents,
      outgoing_cents = ledger_balances.outgoing_cents + excluded.outgoing_cents,
      platform_fees_cents = ledger_balances.platform_fees_cents + excluded.platform_fees_cents,
      suspense_cents = ledger_balances.suspense_cents + excluded.suspense_cents,
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

/** In the order of the primary key, which `:after` holds as text. */
const METHODS_OF_BEFORE = `
  with next as (
    select ${KEY} from statement_entries
    where (${KEY}) > (
      split_part(:after, '|', 1), coalesce(nullif(split_part(:after, '|', 2), ''), 'false')::boolean, split_part(:after, '|', 3),
      split_part(:after, '|', 4), coalesce(nullif(split_part(:after, '|', 5), ''), '-infinity')::timestamptz,
      coalesce(nullif(split_part(:after, '|', 6), ''), '0')::bigint)
    order by ${KEY} limit ${BATCH}
  ), changed as (
    update statement_entries entry set method = method_of_movement(entry.subject_id, entry.kind) from next
    where (${of('entry', KEY)}) = (${of('next', KEY)}) and entry.method is null
  )
  select concat_ws('|', ${KEY}) as last from next order by ${KEY.join(' desc, ')} desc limit 1`;
