import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import type { Database } from '../database/orm.ts';
import { REMINDED } from '../database/reminded-subscriptions.ts';
import { statement } from '../database/statement.ts';
import { ANNOUNCED_AHEAD_MS, type ChargeAnnouncementName } from '../domain/announcement.ts';
import type { AuditKind } from '../domain/audit.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { StoreId } from '../domain/ids.ts';
import { SQL_DECIDED_AT_ONCE } from '../domain/payment-methods.ts';
import { morningOf, nextSendingDay, SUBSCRIPTION_REMINDERS } from '../domain/reminders.ts';
import { isListenedFor } from '../events/event-readers.ts';
import { SQL_DEBIT_ORDERED_AT, SQL_IS_DEBITED_NEXT } from '../mandates/plan-debits.ts';
import { UNSETTLED } from '../recovery/open-settlements.ts';
import { OPEN_ROWS } from '../recovery/overdue-rows.ts';
import type { OpenItem } from '../recovery/page.ts';

/** Something in a store's dev environment that becomes due by itself, and when. */
export interface DueItem extends Omit<OpenItem, 'kind'> {
  /** Announcements and reminders have no workflow of their own. */
  readonly kind: AuditKind | 'announcement' | 'reminder';
  readonly dueAt: Date;
  /** Whether it has begun and only its end is awaited: the issuer was asked, or the money was sent. */
  readonly isUnderWay: boolean;
}

/** What follows the store's clock. Webhooks are sent in real time. */
const KINDS = [
  'charge',
  'checkout',
  'subscription',
  'debit',
  'refund',
  'payout',
  'paymentNotice',
  'disputeNotice',
] as const satisfies readonly AuditKind[];
type DueKind = (typeof KINDS)[number];

/** Kinds with another instant than the auditor's: a payer has time to confirm, and the sandbox bank may delay a transfer. */
const DUE_AT: Partial<Readonly<Record<DueKind, string>>> = {
  charge: 'case when item.action_required_at is null then item.key_at else item.closes_at end',
  payout: `coalesce((select completes_at from sandbox_transfers where reference = item.id), item.key_at)`,
};

const IS_UNDER_WAY: Readonly<Record<DueKind, string>> = {
  charge: `item.method in (${SQL_DECIDED_AT_ONCE}) and item.action_required_at is null`,
  checkout: 'false',
  subscription: 'false',
  debit: 'false',
  refund: 'true',
  payout: 'false',
  paymentNotice: 'true',
  disputeNotice: 'true',
};

/** The earliest items of one kind. */
function firstOf(kind: DueKind): string {
  const { table, id, isOpen, key, columns, joins = '', owner = 'item', isDue = 'true' } = OPEN_ROWS[kind];
  const own = owner === 'item' ? ', store_id, dev_mode' : '';
  const extra = [kind === 'charge' ? 'method' : '', columns ?? ''].filter((text) => text !== '');
  const dueAt = DUE_AT[kind] ?? 'item.key_at';
  return `(
    select '${kind}' as kind, item.id::text as id, ${dueAt} as due_at, ${IS_UNDER_WAY[kind]} as is_under_way
    from (select ${[id === 'id' ? 'id' : `${id} as id`, ...extra].join(', ')}${own}, ${key} as key_at from ${table} where ${isOpen}) item ${joins}
    where ${owner}.store_id = :storeId and ${owner}.dev_mode and item.key_at < 'infinity' and (${isDue})
    order by item.key_at limit :most
  )`;
}

/** A payout that waits for an approval, at the instant at which it is released or expires. */
const WAITING_PAYOUT = `(
    select 'payout', id, approval_due_at, false from payouts
    where store_id = :storeId and dev_mode and approval = 'WAITING' order by approval_due_at limit :most
  )`;

const SETTLEMENT = `(
    select 'settlement', '', settles_at, false from charges
    where store_id = :storeId and dev_mode and ${UNSETTLED} order by settles_at limit 1
  )`;

/** Announcements of charges, if someone is listening (activities/announcements). Past dates are not announced. */
function announcementsOf(name: ChargeAnnouncementName, isOpen: string): string {
  const ahead = `interval '${ANNOUNCED_AHEAD_MS[name]} milliseconds'`;
  return `(
    select 'announcement', id, cycle_ends_at - ${ahead}, false from subscriptions
    where store_id = :storeId and dev_mode and status = 'ACTIVE' and attempt_due_at is null and cancel_at is null and paused_at is null and usage_ends_at is null and ${isOpen}
      and cycle_ends_at > :now and ${isListenedFor({ name: `'${name}'`, storeId: ':storeId', devMode: 'true' })}
    order by cycle_ends_at limit :most
  )`;
}

/**
 * The next announcement of each card that expires, if someone is listening: 30 days before its last valid day, or else 7. With less than
 * seven days left, it is one.
 */
function expiringCards(isNext: string, daysAhead: number): string {
  return `(
    select 'announcement', id, ((card_expiry_month || '-01')::date + interval '1 month' - interval '${daysAhead + 1} days') at time zone 'America/Sao_Paulo', false
    from subscriptions
    where store_id = :storeId and dev_mode and status = 'ACTIVE' and card_expiry_month is not null
      and expiry_announced_days <> 7 and expiry_announced_days ${isNext}
      and card_expiry_month >= to_char(:now::timestamptz at time zone 'America/Sao_Paulo', 'YYYY-MM')
      and ${isListenedFor({ name: `'subscription.card_expiring'`, storeId: ':storeId', devMode: 'true' })}
    order by card_expiry_month limit :most
  )`;
}

/** The day on which the debit of a next cycle is ordered. */
const DEBITS_TO_ORDER = `(
    select 'announcement', id, ${SQL_DEBIT_ORDERED_AT}, false from subscriptions subscription
    where store_id = :storeId and dev_mode and ${SQL_IS_DEBITED_NEXT} and cycle_ends_at > :now
    order by 3 limit :most
  )`;

/** Payers who are to be asked for an authorization, without a payment. */
const CONSENTS_TO_REQUEST = `(
    select 'announcement', id, consent_due_at, false from subscriptions
    where store_id = :storeId and dev_mode and status = 'ACTIVE' and consent_due_at is not null
    order by consent_due_at limit :most
  )`;

/** The sandbox lets a request expire that its payer has not answered by then (guide "Pix Automático"). */
const EXPIRES_AT = `mandate.created_at + interval '7 days 1 minute'`;
const EXPIRING_CONSENTS = `(
    select 'announcement', mandate.id, ${EXPIRES_AT}, false from mandates mandate
      join checkouts checkout on checkout.id = mandate.checkout_id
      join subscriptions subscription on subscription.id = checkout.subscription_id and subscription.status = 'ACTIVE'
    where mandate.store_id = :storeId and mandate.dev_mode and mandate.status = 'PENDING'
      and mandate.consent_code is not null and mandate.end_requested_at is null and mandate.asked_at < ${EXPIRES_AT}
    order by 3 limit :most
  )`;

const ANNOUNCEMENTS = [
  DEBITS_TO_ORDER,
  CONSENTS_TO_REQUEST,
  EXPIRING_CONSENTS,
  expiringCards('= 0', 30),
  expiringCards('<> 0', 7),
  announcementsOf('subscription.upcoming', 'announced_number <= cycle_number'),
  announcementsOf('subscription.trial_ending', 'cycle_number = 0 and not trial_end_announced'),
];

/** The first day after a kind's days that are done, on which one of its steps falls, as midnight in São Paulo. */
function nextReminder(schedule: string, first: (afterDone: string) => string, date: string): string {
  return `(
    select 'reminder', '', (found.date + step.days::int)::timestamp at time zone 'America/Sao_Paulo', false
    from reminder_settings settings, json_array_elements_text(${schedule}->'steps') as step (days), lateral (
      select ${date} as date from ${first(`(settings.done_until::date - step.days::int)`)} limit 1
    ) found
    where settings.store_id = :storeId and settings.dev_mode and ${schedule}->>'channel' <> 'NONE'
    order by 3 limit 1
  )`;
}

const BOLETO_REMINDERS = nextReminder(
  `json_build_object('channel', settings.channel, 'steps', settings.steps)`,
  (done) => `charges
      where store_id = :storeId and dev_mode and status = 'PENDING' and due_date is not null and due_date > ${done}::text
      order by due_date`,
  'due_date::date',
);

const SUBSCRIPTION_REMINDERS_DUE = SUBSCRIPTION_REMINDERS.map((kind) => {
  const { applies, date, key, afterDay } = REMINDED[kind];
  return nextReminder(
    `(settings.of_subscriptions->'${kind}')`,
    (done) => `subscriptions subscription
      where subscription.store_id = :storeId and subscription.dev_mode and subscription.status = 'ACTIVE'
        and ${applies} and ${key} >= ${afterDay(done)}
      order by ${key}`,
    date,
  );
});

/**
 * The next days of the reminders that the store wants, each as midnight of a step's own day. {@link firstDue} moves it to the morning
 * on which it is sent. Rows of one day are one item.
 */
const REMINDERS = [BOLETO_REMINDERS, ...SUBSCRIPTION_REMINDERS_DUE];

/** Instants are rounded up to milliseconds, so that a clock at one of them has also reached the row's exact instant. */
const FIRST_DUE = statement<
  { storeId: StoreId; now: Date; most: number },
  Pick<DueItem, 'kind' | 'id' | 'dueAt' | 'isUnderWay'>
>(
  'find what is due first in a dev environment',
  () => `
  select kind, id, date_trunc('milliseconds', due_at + interval '999 microseconds') as "dueAt",
    is_under_way as "isUnderWay"
  from (${[...KINDS.map(firstOf), WAITING_PAYOUT, SETTLEMENT, ...ANNOUNCEMENTS, ...REMINDERS].join(' union all ')}) due
  order by due_at limit :most`,
);

/**
 * @param now the store's time.
 * @returns the store's next due items, in order. All charges that settle on one day are one item.
 */
export async function firstDue(
  database: Database,
  storeId: StoreId,
  now: Date,
  most: number,
): Promise<DueItem[]> {
  const rows = await FIRST_DUE(database, { storeId, now, most });
  const items = rows.map((row) => ({
    ...row,
    storeId,
    devMode: true,
    id: row.kind === 'settlement' ? settlementWorkflowId(storeId, true, saoPauloDateOf(row.dueAt)) : row.id,
    dueAt: row.kind === 'reminder' ? morningOf(nextSendingDay(saoPauloDateOf(row.dueAt))) : row.dueAt,
  }));
  return items.toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime());
}
