/** The books that the checks of `ledger verify` read: each check is appended to one of the two. */

/** Columns of sums of movements. */
export const SUMS = `count(*) as movements, sum(clearing_cents) as clearing_cents, sum(pending_cents) as pending_cents,
    sum(available_cents) as available_cents, sum(blocked_cents) as blocked_cents, sum(outgoing_cents) as outgoing_cents,
    sum(platform_fees_cents) as platform_fees_cents, sum(suspense_cents) as suspense_cents,
    sum(sub_accounts_cents) as sub_accounts_cents`;

/** The sums of each account's movements. */
export const ACCOUNT_SUMS =
  'sum(clearing_cents) as clearing_cents, sum(available_cents) as available_cents, sum(sub_accounts_cents) as sub_accounts_cents';

/** The charges that hold, or held, money. */
const IS_PAID = `status in ('PAID', 'UNDER_DISPUTE', 'REFUNDED') and paid_amount_cents > 0`;

/** The movements of a payment in suspense; null if an earlier release returned it and wrote none. */
const MOVED = '(select array_agg(kind) from ledger_movements where subject_id = payment.id) as moved';

/** The parts of a payment in suspense that were returned before the rest. */
export const PARTS_CENTS =
  'coalesce((select max(part.returned_cents) from payment_returns part where part.payment_id = payment.id), 0)';

/** Rows of the store `:storeId`, or of all stores if that is null: Postgres then drops the condition. */
export const isSought = (row: string) => `(:storeId::text is null or ${row}.store_id = :storeId)`;

/** The columns of a charge that the checks need: few, as a check may keep a million rows on disk. */
const CHARGE = `charge.id, charge.store_id, charge.dev_mode, charge.status, charge.paid_amount_cents,
    charge.platform_fee_cents, charge.settled_at, charge.provider, charge.splits, charge.reversed_cents`;

/**
 * The books that a full check begins with: all rows of the store `:storeId`, or of all stores if that is null.
 */
export const WHOLE_BOOKS = `with movement as not materialized (
    select movement.* from ledger_movements movement where ${isSought('movement')}
  ), fresh as not materialized (
    select * from movement
  ), total as (
    select store_id, dev_mode, ${SUMS} from movement group by store_id, dev_mode
  ), account_total as (
    select store_id, dev_mode, provider, ${ACCOUNT_SUMS} from movement group by store_id, dev_mode, provider
  ), paid as (
    select ${CHARGE} from charges charge where ${IS_PAID} and ${isSought('charge')}
  ), payout as (
    select payout.* from payouts payout where ${isSought('payout')}
  ), payout_return as (
    select returned.*, payout.store_id, payout.dev_mode from payout_returns returned join payout on payout.id = payout_id
  ), unaccepted as (
    select payment.id, payment.outcome, payment.amount_cents, payment.provider, charge.store_id, charge.dev_mode, ${MOVED},
      ${PARTS_CENTS} as parts_cents
    from payments payment join charges charge on charge.id = payment.charge_id
    where payment.outcome in ('RETURNING', 'HELD', 'RETURNED') and ${isSought('charge')}
  ), payment_return as (
    select part.*, unaccepted.store_id, unaccepted.dev_mode from payment_returns part join unaccepted on unaccepted.id = payment_id
  ), moved_between as (
    select move.* from account_moves move where ${isSought('move')}
  ), sub_account_entry as (
    select entry.* from sub_account_entries entry where ${isSought('entry')}
  ), sub_account as (
    select account.* from sub_accounts account where ${isSought('account')}
  )`;

/**
 * The books of all stores since the checkpoint. `fresh` has the movements after number `:after`. `movement` has
 * all movements, also earlier ones, of their subjects and of rows changed since the instant `:since`. The sums are
 * those of the checkpoint plus the fresh movements.
 */
export const BOOKS_SINCE = `with fresh as (
    select * from ledger_movements where number > :after
  ), total as (
    select store_id, dev_mode, sum(movements) as movements, sum(clearing_cents) as clearing_cents,
      sum(pending_cents) as pending_cents, sum(available_cents) as available_cents, sum(blocked_cents) as blocked_cents,
      sum(outgoing_cents) as outgoing_cents, sum(platform_fees_cents) as platform_fees_cents,
      sum(suspense_cents) as suspense_cents, sum(sub_accounts_cents) as sub_accounts_cents
    from (
      select store_id, dev_mode, movements, clearing_cents, pending_cents, available_cents, blocked_cents, outgoing_cents,
        platform_fees_cents, suspense_cents, sub_accounts_cents from ledger_checkpoints
      union all select store_id, dev_mode, ${SUMS} from fresh group by store_id, dev_mode
    ) each group by store_id, dev_mode
  ), account_total as (
    select store_id, dev_mode, provider, ${ACCOUNT_SUMS}
    from (
      select store_id, dev_mode, provider, clearing_cents, available_cents, sub_accounts_cents from clearing_checkpoints
      union all select store_id, dev_mode, provider, ${ACCOUNT_SUMS} from fresh group by store_id, dev_mode, provider
    ) each group by store_id, dev_mode, provider
  ), touched as (
    select id from charges where updated_at >= :since
    union select charge_id from payments where id >= :sincePaymentId
    union select subject_id from fresh
    union select charge_id from receivables join fresh on fresh.subject_id = receivables.id
    union select charge_id from sub_account_entries join fresh on fresh.subject_id = sub_account_entries.id
    union select charge_id from refunds where updated_at >= :since
    union select charge_id from refunds join fresh on fresh.subject_id = refunds.id
    union select charge_id from disputes where opened_at >= :since or closed_at >= :since
    union select charge_id from excess_takings where created_at >= :since
    union select charge_id from excess_takings join fresh on fresh.subject_id = excess_takings.id
    union select charge_id from disputes join fresh on fresh.subject_id = disputes.id
    union select charge_id from disputes join (
      select dispute_id from dispute_fees where created_at >= :since
      union select dispute_id from dispute_fees join fresh on fresh.subject_id = dispute_fees.id
    ) changed on changed.dispute_id = disputes.id
  ), paid as (
    select ${CHARGE} from touched join charges charge on charge.id = touched.id where ${IS_PAID}
  ), payout as (
    select payout.* from payouts payout join (
      select id from payouts where updated_at >= :since union select subject_id from fresh
      union select payout_id from payout_returns join fresh on fresh.subject_id = payout_returns.id
      union select payout_id from sub_account_entries join fresh on fresh.subject_id = sub_account_entries.id
    ) changed using (id)
  ), payout_return as (
    select returned.*, payout.store_id, payout.dev_mode from payout join payout_returns returned on returned.payout_id = payout.id
  ), unaccepted as (
    select payment.id, payment.outcome, payment.amount_cents, payment.provider, charge.store_id, charge.dev_mode, ${MOVED},
      ${PARTS_CENTS} as parts_cents
    from payments payment join charges charge on charge.id = payment.charge_id join (
      select id from payments where id >= :sincePaymentId union select subject_id from fresh
      union select payment_id from payment_returns join fresh on fresh.subject_id = payment_returns.id
    ) changed on changed.id = payment.id
    where payment.outcome in ('RETURNING', 'HELD', 'RETURNED')
  ), payment_return as (
    select part.*, unaccepted.store_id, unaccepted.dev_mode from payment_returns part join unaccepted on unaccepted.id = payment_id
  ), moved_between as (
    select move.* from account_moves move
    where move.created_at >= :since or move.id in (select subject_id from fresh)
  ), sub_account_entry as (
    select entry.* from sub_account_entries entry join (
      select id from sub_account_entries join fresh on fresh.subject_id = sub_account_entries.id
      union select entry.id from paid join sub_account_entries entry on entry.charge_id = paid.id
      union select entry.id from payout join sub_account_entries entry on entry.payout_id = payout.id
    ) changed using (id)
  ), sub_account as (
    select account.* from sub_accounts account where account.id in (select sub_account_id from sub_account_entry)
  ), subject as (
    select id from touched
    union select receivables.id from receivables join touched on touched.id = receivables.charge_id
    union select refunds.id from refunds join touched on touched.id = refunds.charge_id
    union select disputes.id from disputes join touched on touched.id = disputes.charge_id
    union select fee.id from dispute_fees fee join disputes on disputes.id = fee.dispute_id
      join touched on touched.id = disputes.charge_id
    union select excess.id from excess_takings excess join touched on touched.id = excess.charge_id
    union select id from payout
    union select id from payout_return
    union select id from unaccepted
    union select id from payment_return
    union select id from moved_between
    union select id from sub_account_entry
  ), movement as (
    select movement.* from subject join ledger_movements movement on movement.subject_id = subject.id
  )`;
