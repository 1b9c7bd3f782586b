/**
 * The checks of `ledger verify` of sub-accounts. Like those in ledger-checks.ts, each is appended to the books that it reads.
 */

/** Each entry of a sub-account is its movement, between the store's available balance and the sub-account, to the cent. */
export const ENTRIES_OF_SUB_ACCOUNTS = `
  select entry.store_id, entry.dev_mode, 'SUB_ACCOUNTS' as account,
    coalesce(movement.sub_accounts_cents, 0) - entry.amount_cents as difference_cents, entry.id as subject_id,
    'the entry of the sub-account is not its movement' as problem
  from sub_account_entry entry left join movement on movement.subject_id = entry.id
  where movement.sub_accounts_cents is distinct from entry.amount_cents
    or movement.available_cents is distinct from -entry.amount_cents`;

/** Each entry continues the one before it without a gap, and a sub-account has what its last entry says. */
export const BALANCES_OF_SUB_ACCOUNTS = `
  select entry.store_id, entry.dev_mode, 'SUB_ACCOUNTS' as account,
    entry.balance_after_cents - entry.amount_cents - coalesce(before.balance_after_cents, 0) as difference_cents,
    entry.sub_account_id as subject_id, 'entry ' || entry.number || ' does not continue the one before it' as problem
  from sub_account_entry entry left join sub_account_entries before
    on before.sub_account_id = entry.sub_account_id and before.number = entry.number - 1
  where entry.balance_after_cents - entry.amount_cents <> coalesce(before.balance_after_cents, 0)
    or (before.id is null) <> (entry.number = 1)
  union all
  select account.store_id, account.dev_mode, 'SUB_ACCOUNTS', account.balance_cents - coalesce(last.balance_after_cents, 0),
    account.id, 'the balance of the sub-account is not that of its last entry'
  from sub_account account left join sub_account_entries last
    on last.sub_account_id = account.id and last.number = account.entry_count
  where account.balance_cents <> coalesce(last.balance_after_cents, 0) or (last.id is null) <> (account.entry_count = 0)`;

/** Each sub-account has received its split of a payment, and has given back at most its proportion of what refunds and disputes took. */
export const SPLITS = `, split as (
    select paid.id, paid.store_id, paid.dev_mode, each."subAccountId" as sub_account_id, each."amountCents" as due_cents,
      paid.paid_amount_cents, paid.reversed_cents
    from paid, json_to_recordset(paid.splits) each ("subAccountId" text, "amountCents" bigint) where paid.splits is not null
  ), booked as (
    select charge_id as id, sub_account_id, coalesce(sum(amount_cents) filter (where kind = 'PAYMENT'), 0) as received_cents,
      -coalesce(sum(amount_cents) filter (where kind <> 'PAYMENT'), 0) as returned_cents
    from sub_account_entry where charge_id is not null group by 1, 2
  )
  select coalesce(split.store_id, paid.store_id) as store_id, coalesce(split.dev_mode, paid.dev_mode) as dev_mode,
    'SUB_ACCOUNTS' as account, coalesce(received_cents, 0) - coalesce(due_cents, 0) as difference_cents, id as subject_id,
    'the sub-account did not receive its split' as problem
  from split full join booked using (id, sub_account_id) left join paid using (id)
  where coalesce(received_cents, 0) <> coalesce(due_cents, 0)
  union all
  select store_id, dev_mode, 'SUB_ACCOUNTS', returned_cents, id, 'the sub-account gave back another part than its proportion'
  from split join booked using (id, sub_account_id)
  where returned_cents < 0 or returned_cents > div(received_cents * reversed_cents, paid_amount_cents)`;

/** A withdrawal took at most its amount and fee, less what came back, and nothing if it failed. */
export const WITHDRAWALS = `, taken as (
    select payout_id, -sum(amount_cents) as cents from sub_account_entry where payout_id is not null group by 1
  )
  select store_id, dev_mode, 'SUB_ACCOUNTS' as account, coalesce(cents, 0) - most_cents as difference_cents, payout.id as subject_id,
    'the sub-account did not pay for its withdrawal' as problem
  from payout left join taken on taken.payout_id = payout.id, lateral (
    select case when payout.sub_account_id is null or status = 'FAILED' then 0
      else amount_cents + platform_fee_cents - returned_cents end as most_cents
  ) most
  where coalesce(cents, 0) not between 0 and most_cents`;
