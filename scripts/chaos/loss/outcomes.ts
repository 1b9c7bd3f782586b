import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import type { AuditKind } from '../../../src/domain/audit.ts';
import { openPages } from '../../../src/recovery/find-open.ts';
import { workflowStateOf } from '../../../src/recovery/resume.ts';

/** All rows of one piece of work, one line each, without ids and times. */
const LINES = `
  with thing as (select unnest(string_to_array(?, ',')) as id),
  checkout as (select checkouts.* from checkouts join thing using (id)),
  subscription as (select subscriptions.* from subscriptions join thing using (id)),
  payout as (select payouts.* from payouts join thing using (id)),
  charge as (select * from charges where id in (select id from thing) or checkout_id in (select id from checkout)),
  refund as (select * from refunds where charge_id in (select id from charge)),
  dispute as (select * from disputes where charge_id in (select id from charge)),
  subject as (
    select id from charge union all select id from checkout union all select id from subscription
    union all select id from payout union all select id from refund union all select id from dispute),
  line as (
    select concat_ws(' ', 'checkout', status) as text from checkout
    union all select concat_ws(' ', 'charge', method, status, amount_cents, 'paid', paid_amount_cents, 'fee',
      platform_fee_cents, failure_reason, case when settled_at is null then 'open' else 'settled' end) from charge
    union all select concat_ws(' ', 'refund', status, amount_cents, refusal) from refund
    union all select concat_ws(' ', 'dispute', status) from dispute
    union all select concat_ws(' ', 'payout', kind, status, amount_cents, failure_reason) from payout
    union all select concat_ws(' ', 'subscription', status, 'in cycle', cycle_number, 'failed', failed_attempts,
      last_failure, cancelled_due_to, case when attempt_due_at > now() then 'is tried again' end) from subscription
    union all select concat_ws(' ', 'cycle', number, status, amount_cents)
      from installments where subscription_id in (select id from subscription)
    union all select concat_ws(' ', 'moved', kind, pending_cents, available_cents, blocked_cents, outgoing_cents)
      from ledger_movements where subject_id in (select id from subject)
    union all select concat_ws(' ', events.name, 'to', webhooks.name, deliveries.status) from events
      join deliveries on event_id = events.id join webhooks on webhooks.id = webhook_id
      where split_part(key, '/', 2) in (select id from subject))
  select coalesce(string_agg(text, '; ' order by text), 'nothing') as text from line`;

/** The outcome of one piece of work. */
export async function outcomeOf(database: Database, ids: readonly string[]): Promise<string> {
  const [line] = await database.em.fork().execute<{ text: string }[]>(LINES, [ids.join(',')]);
  return line?.text ?? 'nothing';
}

/** Sums over all work, as clients, endpoints and the bank see them. */
const TOTALS = `
  select concat_ws(' ', 'events', name) as what, count(*)::text as total from events group by name
  union all select concat_ws(' ', 'deliveries to', webhooks.name, status), count(*)::text
    from deliveries join webhooks on webhooks.id = webhook_id group by webhooks.name, status
  union all select 'ledger ' || column_name, cents::text from ledger_balances, lateral (values
    ('clearing', clearing_cents), ('pending', pending_cents), ('available', available_cents),
    ('blocked', blocked_cents), ('outgoing', outgoing_cents), ('platform fees', platform_fees_cents)
  ) as columns (column_name, cents)
  union all select concat_ws(' ', 'at the bank', status), concat_ws(' of ', count(*), sum(amount_cents))
    from sandbox_charges group by status
  union all select concat_ws(' ', 'sent by the bank', failure_reason), count(*)::text
    from sandbox_transfers group by failure_reason`;

export async function totalsOf(database: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await database.em.fork().execute<{ what: string; total: string }[]>(TOTALS);
  return new Map(rows.map(({ what, total }) => [what, total]));
}

/** Kinds that are open for as long as a workflow of theirs sleeps, or works. */
const OPEN_KINDS = [
  'charge',
  'checkout',
  'subscription',
  'payout',
  'delivery',
  'settlement',
  'refund',
] as const satisfies AuditKind[];

/** The number of open rows, by kind. */
export async function countOpen(database: Database): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const kind of OPEN_KINDS)
    for await (const items of openPages(database.em, kind, { before: null, startedBefore: null }))
      counts.set(kind, (counts.get(kind) ?? 0) + items.length);
  return counts;
}

/** Open rows without a running workflow. */
export async function sleepless(database: Database, temporal: Client): Promise<string[]> {
  const lost: string[] = [];
  for (const kind of OPEN_KINDS)
    for await (const items of openPages(database.em, kind, { before: null, startedBefore: null }))
      for (const item of items) {
        const state = await workflowStateOf(temporal, item);
        if (state !== null && state !== 'RUNNING')
          lost.push(`${kind} ${item.id} has a workflow that is ${state}`);
      }
  return lost;
}
