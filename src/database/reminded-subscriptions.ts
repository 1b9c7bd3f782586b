import { lastMonthEndedBy } from '../domain/card-expiry.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import { SQL_KEEPING_INSTRUMENT, SQL_WITH_CODE } from '../domain/payment-methods.ts';
import type { SubscriptionReminderKind } from '../domain/reminders.ts';

/** SQL about a row named `subscription`, for one kind of reminder. */
interface Reminded {
  /** Whether the reminder applies to an active subscription. Contains the predicate of an index (migration 0129). */
  readonly applies: string;
  /** What the reminder is about, unique within subscription and kind: a date that moves is another subject. */
  readonly subject: string;
  /** Whether the date that steps count from is after `after` and up to `until`, which are texts of {@link Reminded.bound}. */
  readonly isIn: (after: string, until: string) => string;
  /** The date in São Paulo that steps count from, as SQL. */
  readonly date: string;
  /** The indexed column or expression, which grows with the date. */
  readonly key: string;
  /** The least value of {@link Reminded.key} whose date is after `day`, as SQL. */
  readonly afterDay: (day: string) => string;
  /** A date as a bound of the indexed column. */
  readonly bound: (date: CivilDate) => string;
  /** Since when there is something to be reminded of. A payer who subscribes or pays on a day is not reminded on that day. */
  readonly since: string;
}

/** The end of a day, as the bound of an instant. */
const endOf = (date: CivilDate) => saoPauloMidnight(addDays(date, 1)).toISOString();

const DAY_OF = (instant: string) => `(${instant} at time zone 'America/Sao_Paulo')::date`;

function byInstant(column: string): Pick<Reminded, 'isIn' | 'date' | 'key' | 'afterDay' | 'bound'> {
  return {
    key: column,
    afterDay: (day) => `((${day} + 1)::timestamp at time zone 'America/Sao_Paulo')`,
    isIn: (after, until) => `(${column} >= ${after}::timestamptz and ${column} < ${until}::timestamptz)`,
    date: DAY_OF(column),
    bound: endOf,
  };
}

/** It will be charged, and nothing is open: a scheduled end or a pause comes first otherwise. */
const IS_CHARGED_NEXT = `subscription.attempt_due_at is null and subscription.cancel_at is null and subscription.paused_at is null`;

const NEXT_CHARGE = {
  ...byInstant('subscription.cycle_ends_at'),
  subject: `(subscription.cycle_number + 1) || '/' || (extract(epoch from subscription.cycle_ends_at) * 1000)::bigint`,
  since: 'subscription.cycle_starts_at',
};

/** When the newest cycle opened, of the plan or of usage. The expression is an index's (migration 0166). */
const OPENED_AT = 'coalesce(subscription.usage_starts_at, subscription.cycle_starts_at)';

/** The token tells two cards of one month apart. */
const CARD = `subscription.card_expiry_month || '/' || left(md5(coalesce(subscription.card_token, '')), 16)`;

/** Which subscriptions payers are reminded of, by kind. */
export const REMINDED: Readonly<Record<SubscriptionReminderKind, Reminded>> = {
  RENEWAL: { ...NEXT_CHARGE, applies: `${IS_CHARGED_NEXT} and subscription.cycle_number > 0` },
  TRIAL_END: { ...NEXT_CHARGE, applies: `${IS_CHARGED_NEXT} and subscription.cycle_number = 0` },
  PAST_DUE: {
    ...byInstant(OPENED_AT),
    // A card whose first attempt is under way may still be charged. A PIX code waits for its payer.
    applies: `(subscription.attempt_due_at is not null or subscription.pause_cause = 'PAST_DUE')
      and (subscription.failed_attempts > 0 or subscription.method in (${SQL_WITH_CODE}))`,
    subject: 'subscription.cycle_number::text',
    since: OPENED_AT,
  },
  CARD_EXPIRY: {
    applies: `subscription.card_expiry_month is not null and subscription.method in (${SQL_KEEPING_INSTRUMENT}) and subscription.cancel_at is null and subscription.paused_at is null`,
    subject: CARD,
    isIn: (after, until) =>
      `(subscription.card_expiry_month > ${after} and subscription.card_expiry_month <= ${until})`,
    date: `((subscription.card_expiry_month || '-01')::date + interval '1 month' - interval '1 day')::date`,
    key: 'subscription.card_expiry_month',
    afterDay: (day) => `to_char(${day} + 1, 'YYYY-MM')`,
    bound: lastMonthEndedBy,
    since: 'subscription.created_at',
  },
};
