/*
 * The checks of `ledger verify`. Each is one statement: one of the two kinds of books, and a check of it. Every
 * check returns rows `store_id, dev_mode, account, difference_cents, subject_id, problem`, one per problem.
 */

import { STATEMENT_KINDS } from '../domain/ledger.ts';
import { isSought, PARTS_CENTS, SUMS } from './checked-books.ts';

const ACCOUNTS = `(values
    ('CLEARING', shown.clearing_cents, due.clearing_cents), ('PENDING', shown.pending_cents, due.pending_cents),
    ('AVAILABLE', shown.available_cents, due.available_cents), ('BLOCKED', shown.blocked_cents, due.blocked_cents),
    ('OUTGOING', shown.outgoing_cents, due.outgoing_cents),
    ('PLATFORM_FEES', shown.platform_fees_cents, due.platform_fees_cents),
    ('SUSPENSE', shown.suspense_cents, due.suspense_cents),
    ('SUB_ACCOUNTS', shown.sub_accounts_cents, due.sub_accounts_cents)
  ) compared (account, shown_cents, due_cents)`;

/** The stored balances equal the sums of the movements. */
export const BALANCES = `, due as (
    select * from total
  ), shown as (
    select balance.* from ledger_balances balance where ${isSought('balance')}
  )
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    null as subject_id, 'the balance is not the sum of the movements' as problem
  from shown full join due using (store_id, dev_mode), lateral ${ACCOUNTS}
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** The clearing amount of every movement equals the sum of its other amounts; a check constraint requires it too. */
export const BALANCED = `
  select store_id, dev_mode, 'CLEARING' as account, difference_cents, subject_id,
    'movement ' || kind || ' does not balance' as problem
  from fresh, lateral (select
    clearing_cents - pending_cents - available_cents - blocked_cents - outgoing_cents - platform_fees_cents
      - suspense_cents - sub_accounts_cents as difference_cents
  ) sum
  where difference_cents <> 0`;

/**
 * Every payment (accepted, or in suspense), refund, dispute and payout has exactly the movements of its
 * status, with its own amounts. {@link HELD} checks which accounts of the store they went through.
 */
export const MOVEMENTS = `, refund as (
    select refund.*, coalesce(refund.platform_fee_cents, paid.platform_fee_cents) as fee_cents
    from refunds refund join paid on paid.id = refund.charge_id
  ), dispute as (
    select dispute.*, paid.store_id, paid.dev_mode, coalesce(dispute.amount_cents, paid.paid_amount_cents) as cents,
      coalesce(dispute.platform_fee_cents, paid.platform_fee_cents) as fee_cents
    from disputes dispute join paid on paid.id = dispute.charge_id
  ), due (subject_id, kind, store_id, dev_mode, clearing_cents, blocked_cents, outgoing_cents, platform_fees_cents,
      suspense_cents) as (
    select id, 'PAYMENT', store_id, dev_mode, paid_amount_cents, 0, 0, platform_fee_cents, 0 from paid
    union all select id, 'REFUND_RESERVED', store_id, dev_mode, 0, 0, amount_cents, -fee_cents, 0
      from refund where (status in ('PENDING', 'COMPLETED') and revived_at is null)
        or (status = 'FAILED' or revived_at is not null) and exists (
        select 1 from movement where subject_id = refund.id and kind = 'REFUND_RESERVED')
    union all select id, 'REFUND_COMPLETED', store_id, dev_mode, -amount_cents, 0, -amount_cents, 0, 0
      from refund where status = 'COMPLETED' and revived_at is null
    union all select id, 'REFUND_FAILED', store_id, dev_mode, 0, 0, -amount_cents, fee_cents, 0
      from refund where (status = 'FAILED' or revived_at is not null) and exists (
        select 1 from movement where subject_id = refund.id and kind = 'REFUND_RESERVED')
    union all select id, 'REFUND_REVIVED', store_id, dev_mode, -amount_cents, 0, 0, -fee_cents, 0
      from refund where revived_at is not null
    union all select id, 'DISPUTE_OPENED', store_id, dev_mode, 0, cents, 0, -fee_cents, 0
      from dispute where status in ('OPEN', 'WON', 'LOST') and cents > 0
    union all select excess.id, case when taken_cents > 0 then 'EXCESS_TAKEN' else 'EXCESS_RETURNED' end,
        store_id, dev_mode, -taken_cents, 0, 0, 0, 0
      from excess_takings excess join paid on paid.id = excess.charge_id
    union all select fee.id, case when charged_cents > 0 then 'DISPUTE_FEE' else 'DISPUTE_FEE_RETURNED' end,
        store_id, dev_mode, -charged_cents, 0, 0, 0, 0
      from dispute_fees fee join dispute on dispute.id = fee.dispute_id
    union all select id, 'DISPUTE_WON', store_id, dev_mode, 0, -cents, 0, fee_cents, 0
      from dispute where status = 'WON' and cents > 0
    union all select id, 'DISPUTE_LOST', store_id, dev_mode, -cents, -cents, 0, 0, 0
      from dispute where status = 'LOST' and cents > 0
    union all select id, 'PAYOUT_RESERVED', store_id, dev_mode, 0, 0, amount_cents, platform_fee_cents, 0 from payout
    union all select id, 'PAYOUT_COMPLETED', store_id, dev_mode, -amount_cents, 0, -amount_cents, 0, 0
      from payout where status in ('COMPLETE', 'REFUNDED') and revived_at is null
    union all select id, 'PAYOUT_FAILED', store_id, dev_mode, 0, 0, -amount_cents, -platform_fee_cents, 0
      from payout where status = 'FAILED' or revived_at is not null
    union all select id, 'PAYOUT_REVIVED', store_id, dev_mode, -amount_cents, 0, 0, platform_fee_cents, 0
      from payout where revived_at is not null
    union all select id, 'PAYOUT_RETURNED', store_id, dev_mode, amount_cents, 0, 0, 0, 0 from payout_return
    union all select id, 'SETTLEMENT', store_id, dev_mode, 0, 0, 0, 0, 0
      from paid where settled_at is not null and exists (
        select 1 from movement where subject_id = paid.id and kind = 'SETTLEMENT')
    union all select receivable.id, 'SETTLEMENT', paid.store_id, paid.dev_mode, 0, 0, 0, 0, 0
      from receivables receivable join paid on paid.id = receivable.charge_id
      where receivable.settled_at is not null and exists (
        select 1 from movement where subject_id = receivable.id and kind = 'SETTLEMENT')
    union all select id, case when 'RETURN_REFUSED' = any (moved) then 'RETURN_REFUSED' else 'RETURN_RESERVED' end,
        store_id, dev_mode, amount_cents, 0, 0, 0, amount_cents
      from unaccepted where outcome <> 'RETURNED' or moved is not null
    union all select id, 'RETURN_SETTLED', store_id, dev_mode, parts_cents - amount_cents, 0, 0, 0, parts_cents - amount_cents
      from unaccepted where outcome = 'RETURNED' and moved is not null
    union all select id, 'RETURN_PART_SETTLED', store_id, dev_mode, -amount_cents, 0, 0, 0, -amount_cents from payment_return
    union all select id, case when amount_cents > 0 then 'SUB_ACCOUNT_CREDITED' else 'SUB_ACCOUNT_DEBITED' end,
        store_id, dev_mode, 0, 0, 0, 0, 0 from sub_account_entry
    union all select id, 'MOVED_OUT', store_id, false, -amount_cents, 0, 0, 0, 0 from moved_between
    union all select id, 'MOVED_IN', store_id, false, amount_cents, 0, 0, 0, 0 from moved_between
  )
  select store_id, dev_mode, account,
    coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents, subject_id,
    case when due.store_id is null then 'movement ' || kind || ' should not be there'
      when shown.store_id is null then 'movement ' || kind || ' is missing'
      else 'movement ' || kind || ' is of another amount' end as problem
  from movement shown full join due using (subject_id, kind, store_id, dev_mode), lateral (values
    ('CLEARING', shown.clearing_cents, due.clearing_cents), ('BLOCKED', shown.blocked_cents, due.blocked_cents),
    ('OUTGOING', shown.outgoing_cents, due.outgoing_cents),
    ('PLATFORM_FEES', shown.platform_fees_cents, due.platform_fees_cents),
    ('SUSPENSE', shown.suspense_cents, due.suspense_cents),
    ('ENTRY', (shown.store_id is not null)::integer, (due.store_id is not null)::integer)
  ) compared (account, shown_cents, due_cents)
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** The store's money from each payment and payout is in the account that matches its status. */
export const HELD = `, reversed as (
    select charge_id, sum(net_cents) as net_cents from (
      select charge_id, refund.amount_cents - coalesce(refund.platform_fee_cents, paid.platform_fee_cents) as net_cents
      from refunds refund join paid on paid.id = charge_id where refund.status in ('PENDING', 'COMPLETED')
      union all
      select charge_id, coalesce(dispute.amount_cents, paid.paid_amount_cents)
        - coalesce(dispute.platform_fee_cents, paid.platform_fee_cents)
      from disputes dispute join paid on paid.id = charge_id where dispute.status in ('OPEN', 'LOST')
    ) each group by 1
  ), unsettled as (
    select charge_id, coalesce(sum(gross_cents - fee_cents) filter (where receivable.settled_at is null), 0) as cents
    from receivables receivable join paid on paid.id = charge_id group by 1
  ), due as (
    select id, store_id, dev_mode, pending_cents, left_cents - pending_cents as available_cents
    from paid left join reversed on reversed.charge_id = id left join unsettled on unsettled.charge_id = id, lateral (
      select case when status = 'REFUNDED' then 0
        else paid_amount_cents - platform_fee_cents - coalesce(net_cents, 0) end as left_cents
    ) held, lateral (
      select case when left_cents = 0 or settled_at is not null then 0 when unsettled.charge_id is null then left_cents
        else greatest(0, unsettled.cents - coalesce(net_cents, 0)) end as pending_cents
    ) waiting
    union all
    select id, store_id, dev_mode, 0,
      case when status = 'FAILED' then 0 else returned_cents - (amount_cents + platform_fee_cents) end
    from payout
  ), shown as (
    select coalesce(receivable.charge_id, refund.charge_id, dispute.charge_id, returned.payout_id, movement.subject_id) as id,
      sum(movement.pending_cents) as pending_cents, sum(movement.available_cents) as available_cents
    from movement left join receivables receivable on receivable.id = movement.subject_id
      left join refunds refund on refund.id = movement.subject_id
      left join disputes dispute on dispute.id = movement.subject_id
      left join payout_returns returned on returned.id = movement.subject_id
    group by 1
  )
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - due_cents as difference_cents, id as subject_id,
    'what the store holds of it is not where it belongs' as problem
  from due left join shown using (id), lateral (values
    ('PENDING', shown.pending_cents, due.pending_cents), ('AVAILABLE', shown.available_cents, due.available_cents)
  ) compared (account, shown_cents, due_cents)
  where coalesce(shown_cents, 0) <> due_cents`;

/**
 * Refunds and disputes together are at most what was paid, and whatever a provider has taken beyond that for a dispute is
 * booked as its excess, to the cent.
 */
export const REVERSED = `, part (charge_id, cents) as (
    select charge_id, refund.amount_cents from refunds refund join paid on paid.id = charge_id
      where refund.status in ('PENDING', 'COMPLETED')
    union all select charge_id, coalesce(dispute.amount_cents, paid.paid_amount_cents) from disputes dispute
      join paid on paid.id = charge_id where dispute.status in ('OPEN', 'LOST')
  ), taken as (
    select dispute.id, paid.store_id, paid.dev_mode, dispute.status, dispute.amount_cents, sum(withdrawn_cents) as withdrawn_cents,
      bool_or(withdrawn_cents < 0) as has_returned
    from dispute_withdrawals withdrawal join disputes dispute on dispute.id = withdrawal.dispute_id
      join paid on paid.id = dispute.charge_id
    where dispute.amount_cents is not null group by dispute.id, paid.store_id, paid.dev_mode
  )
  select store_id, dev_mode, 'ENTRY' as account, sum(cents) - paid_amount_cents as difference_cents, id as subject_id,
    'refunds and disputes are more than was paid' as problem
  from part join paid on paid.id = part.charge_id group by id, store_id, dev_mode, paid_amount_cents
  having sum(cents) > paid_amount_cents
  union all
  select store_id, dev_mode, 'AVAILABLE', due_cents - shown_cents, id,
    'what the dispute took beyond its payment is not its booked excess'
  from taken, lateral (
    select case when status = 'LOST' then withdrawn_cents - amount_cents
      else greatest(0, withdrawn_cents - case when status = 'WON' and has_returned then 0 else amount_cents end) end as due_cents
  ) due, lateral (
    select coalesce(sum(taken_cents), 0) as shown_cents from excess_takings where subject_id = taken.id
  ) shown
  where due_cents <> shown_cents`;
/** The installments of a payment add up to it, and to its fee; it has settled when they all have. */
export const RECEIVABLES = `
  select paid.store_id, paid.dev_mode, 'PENDING' as account, difference_cents, paid.id as subject_id,
    'the installments are not what was paid' as problem
  from paid join (
    select charge_id, sum(gross_cents) as gross_cents, sum(fee_cents) as fee_cents, bool_and(settled_at is not null) as is_settled
    from receivables group by 1
  ) part on part.charge_id = paid.id, lateral (
    select case when gross_cents <> paid_amount_cents then gross_cents - paid_amount_cents
      when fee_cents <> platform_fee_cents then fee_cents - platform_fee_cents
      when is_settled <> (settled_at is not null) then paid_amount_cents else 0 end as difference_cents
  ) compared
  where difference_cents <> 0`;

/** The reserved sums equal pending payouts and refunds, disputed money, and payments in suspense. */
export const SET_ASIDE = `, due as (
    select each.store_id, each.dev_mode, sum(outgoing_cents) as outgoing_cents, sum(blocked_cents) as blocked_cents,
      sum(suspense_cents) as suspense_cents
    from (
      select store_id, dev_mode, amount_cents as outgoing_cents, 0 as blocked_cents, 0 as suspense_cents
        from refunds where status = 'PENDING'
      union all select store_id, dev_mode, amount_cents, 0, 0 from payouts where status = 'PENDING'
      union all select charge.store_id, charge.dev_mode, 0, coalesce(dispute.amount_cents, charge.paid_amount_cents), 0
        from disputes dispute join charges charge on charge.id = dispute.charge_id where dispute.status = 'OPEN'
      union all select charge.store_id, charge.dev_mode, 0, 0, payment.amount_cents - ${PARTS_CENTS}
        from payments payment join charges charge on charge.id = payment.charge_id where payment.outcome in ('RETURNING', 'HELD')
    ) each where ${isSought('each')}
    group by 1, 2
  ), shown as (
    select balance.* from ledger_balances balance where ${isSought('balance')}
  )
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    null as subject_id,
    case account when 'OUTGOING' then 'not the sum of pending refunds and payouts'
      when 'BLOCKED' then 'not the sum of open disputes' else 'not the sum of payments on their way back' end as problem
  from shown full join due using (store_id, dev_mode), lateral (values
    ('OUTGOING', shown.outgoing_cents, due.outgoing_cents), ('BLOCKED', shown.blocked_cents, due.blocked_cents),
    ('SUSPENSE', shown.suspense_cents, due.suspense_cents)
  ) compared (account, shown_cents, due_cents)
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** The movements before the checkpoint are unchanged. */
export const BEFORE_CHECKPOINT = `
  select store_id, dev_mode, account, coalesce(shown_cents, 0) - coalesce(due_cents, 0) as difference_cents,
    null as subject_id, 'the movements before the checkpoint are not what they were' as problem
  from (
    select store_id, dev_mode, ${SUMS} from ledger_movements where number is null or number <= :after group by store_id, dev_mode
  ) shown full join ledger_checkpoints due using (store_id, dev_mode), lateral (
    select * from ${ACCOUNTS} union all values ('ENTRY', shown.movements, due.movements)
  ) each
  where coalesce(shown_cents, 0) <> coalesce(due_cents, 0)`;

/** Totals of the books. */
export const TOTALS = `
  select coalesce(sum(movements), 0)::text as movements, count(distinct store_id)::text as stores,
    coalesce(sum(clearing_cents), 0)::text as clearing, coalesce(sum(pending_cents), 0)::text as pending,
    coalesce(sum(available_cents), 0)::text as available, coalesce(sum(blocked_cents), 0)::text as blocked,
    coalesce(sum(outgoing_cents), 0)::text as outgoing, coalesce(sum(platform_fees_cents), 0)::text as platform_fees,
    coalesce(sum(suspense_cents), 0)::text as suspense, coalesce(sum(sub_accounts_cents), 0)::text as sub_accounts
  from total`;

/** The last balance of the statement equals the sum of the movements, so a missing or wrong entry shows. */
export const STATEMENT = `
  select total.store_id, total.dev_mode, account.name as account, coalesce(last.cents, 0) - account.cents as difference_cents,
    null as subject_id, 'the statement does not end with the sum of the movements' as problem
  from total, lateral (values
    ('PENDING', total.pending_cents), ('AVAILABLE', total.available_cents), ('BLOCKED', total.blocked_cents)
  ) account (name, cents) left join lateral (
    select entry.balance_after_cents as cents from unnest(array['${STATEMENT_KINDS.join("', '")}']) as kind (name), lateral (
      select * from statement_entries entry
      where entry.store_id = total.store_id and entry.dev_mode = total.dev_mode and entry.account = account.name
        and entry.kind = kind.name
      order by entry.booked_at desc, entry.sequence desc limit 1
    ) entry order by entry.booked_at desc, entry.sequence desc limit 1
  ) last on true
  where coalesce(last.cents, 0) <> account.cents`;
