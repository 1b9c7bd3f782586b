/**
 * The checks of `ledger verify` of where money lies. Like those in ledger-checks.ts, each is appended to the books
 * that it reads.
 */

import { ACCOUNT_SUMS } from './checked-books.ts';

const ACCOUNTS = `(values
    ('CLEARING', shown.clearing_cents, due.clearing_cents), ('AVAILABLE', shown.available_cents, due.available_cents),
    ('SUB_ACCOUNTS', shown.sub_accounts_cents, due.sub_accounts_cents)
  ) compared (account, shown_cents, due_cents)`;

/**
 * The stored sum of each production account equals its movements. Dev environments have one account and no stored
 * sums.
 */
export const BALANCES_OF_ACCOUNTS = `, due as (
    select * from account_total where not dev_mode
  ), shown as (
    select balance.* from clearing_balances balance where (:storeId::text is null or balance.store_id = :storeId)
  )
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    provider as subject_id, 'what lies at the account is not the sum of its movements' as problem
  from shown full join due using (store_id, dev_mode, provider), lateral ${ACCOUNTS}
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** The money at all accounts of a store equals the store's money. */
export const SUM_OF_ACCOUNTS = `, shown as (
    select store_id, dev_mode, ${ACCOUNT_SUMS}
    from clearing_balances balance where (:storeId::text is null or balance.store_id = :storeId) group by 1, 2
  ), due as (
    select store_id, dev_mode, clearing_cents, available_cents, sub_accounts_cents
    from ledger_balances balance where not dev_mode and (:storeId::text is null or balance.store_id = :storeId)
  )
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    null as subject_id, 'what lies at the accounts is not what the store has' as problem
  from shown full join due using (store_id, dev_mode), lateral ${ACCOUNTS}
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** Every movement is at the account of its subject, whatever its kind. */
export const ATTRIBUTED = `, due (subject_id, provider, kind) as (
    select id, provider, null from paid
    union all select refund.id, paid.provider, null from refunds refund join paid on paid.id = refund.charge_id
    union all select dispute.id, dispute.provider, null from disputes dispute join paid on paid.id = dispute.charge_id
    union all select fee.id, dispute.provider, null from dispute_fees fee join disputes dispute on dispute.id = fee.dispute_id
      join paid on paid.id = dispute.charge_id
    union all select excess.id, paid.provider, null from excess_takings excess join paid on paid.id = excess.charge_id
    union all select id, provider, null from payout
    union all select payout_return.id, payout.provider, null from payout_return join payout on payout.id = payout_id
    union all select id, provider, null from unaccepted
    union all select payment_return.id, unaccepted.provider, null
      from payment_return join unaccepted on unaccepted.id = payment_id
    union all select entry.id, paid.provider, null from sub_account_entry entry join paid on paid.id = entry.charge_id
    union all select entry.id, payout.provider, null from sub_account_entry entry join payout on payout.id = entry.payout_id
    union all select id, from_provider, 'MOVED_OUT' from moved_between
    union all select id, to_provider, 'MOVED_IN' from moved_between
  )
  select store_id, dev_mode, 'ENTRY' as account, 1 as difference_cents, subject_id,
    'movement ' || shown.kind || ' is at the account ' || shown.provider || ', not at ' || due.provider as problem
  from movement shown join due using (subject_id)
  where (due.kind is null or due.kind = shown.kind) and shown.provider is distinct from due.provider`;

/** The sums of each account before the checkpoint are unchanged. */
export const ACCOUNTS_BEFORE_CHECKPOINT = `
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    provider as subject_id, 'the movements of the account before the checkpoint are not what they were' as problem
  from (
    select store_id, dev_mode, provider, ${ACCOUNT_SUMS} from ledger_movements
    where number is null or number <= :after group by 1, 2, 3
  ) shown full join clearing_checkpoints due using (store_id, dev_mode, provider), lateral ${ACCOUNTS}
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;
