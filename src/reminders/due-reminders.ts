import { REMINDED } from '../database/reminded-subscriptions.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, StoreId, SubscriptionId } from '../domain/ids.ts';
import { SQL_WITH_DUE_DATE } from '../domain/payment-methods.ts';
import {
  type ReminderKind,
  type StepRange,
  SUBSCRIPTION_REMINDERS,
  type SubscriptionReminderKind,
} from '../domain/reminders.ts';

/** Which reminders one statement writes. The ranges are bounds of the indexed column. */
interface Due {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** The store's time. */
  readonly now: Date;
  readonly days: readonly string[];
  readonly afters: readonly string[];
  readonly untils: readonly string[];
  /** The start of the newest day: a payer is not reminded of what began on the day itself. */
  readonly before: Date;
  /** The charge or subscription that the batch before has ended with; empty for the first one. */
  readonly afterId: string;
  readonly limit: number;
}

/** A reminder, and whether this statement has written it: another process may have been faster. */
export interface DueReminder {
  readonly id: ChargeId | SubscriptionId;
  /** As in {@link REMINDED}; empty for a boleto. */
  readonly subject: string;
  readonly days: number;
  readonly isNew: boolean;
}

type Write = Statement<Due, DueReminder>;

/**
 * Writes the reminders of one kind that are due, each once. It leaves out those that are written, so a round that was stopped continues.
 * - plain: for the mail queue, which looks at the charge or subscription again.
 * - locking: keeps payments and changes waiting until the caller's transaction has published them.
 */
export interface DueWriter {
  readonly plain: Write;
  readonly locking: Write;
  readonly bound: (date: CivilDate) => string;
}

const STEPS =
  'select * from unnest(:days::smallint[], :afters::text[], :untils::text[]) as step (days, after, until)';
const OWNER_AND_STATE = `:storeId, :devMode, 'QUEUED', '-infinity', :now`;

/** Reads ranges of the index of open charges with a due date (migration 0119). */
const ofBoletos = (name: string, lock: string) =>
  statement<Due, DueReminder>(
    name,
    () => `
  with step as (${STEPS}), due as (
    select charge.id, step.days
    from step join charges charge on charge.due_date > step.after and charge.due_date <= step.until
    where charge.store_id = :storeId and charge.dev_mode = :devMode and charge.status = 'PENDING'
      and charge.due_date is not null and charge.method in (${SQL_WITH_DUE_DATE}) and charge.id > :afterId and charge.created_at < :before
      and not exists (select from step later
        where later.days > step.days and charge.due_date > later.after and charge.due_date <= later.until)
      and not exists (select from reminders earlier where earlier.charge_id = charge.id and earlier.days = step.days)
    order by charge.id limit :limit ${lock}
  ), written as (
    insert into reminders (charge_id, days, store_id, dev_mode, status, next_attempt_at, created_at)
    select id, days, ${OWNER_AND_STATE} from due
    on conflict do nothing returning charge_id, days
  )
  select due.id, '' as subject, due.days, written.charge_id is not null as "isNew"
  from due left join written on written.charge_id = due.id and written.days = due.days order by due.id`,
  );

/** Reads ranges of the kind's index (migration 0129). */
const ofSubscriptions = (kind: SubscriptionReminderKind, name: string, lock: string) =>
  statement<Due, DueReminder>(name, () => {
    const { applies, subject, isIn, since } = REMINDED[kind];
    return `
  with step as (${STEPS}), due as (
    select subscription.id, ${subject} as subject, step.days
    from step join subscriptions subscription on ${isIn('step.after', 'step.until')}
    where subscription.store_id = :storeId and subscription.dev_mode = :devMode and subscription.status = 'ACTIVE'
      and ${applies} and ${since} < :before and subscription.id > :afterId
      and not exists (select from step later
        where later.days > step.days and ${isIn('later.after', 'later.until')})
      and not exists (select from subscription_reminders earlier where earlier.subscription_id = subscription.id
        and earlier.kind = '${kind}' and earlier.subject = ${subject} and earlier.days = step.days)
    order by subscription.id limit :limit ${lock}
  ), written as (
    insert into subscription_reminders
      (subscription_id, kind, subject, days, store_id, dev_mode, status, next_attempt_at, created_at)
    select id, '${kind}', subject, days, ${OWNER_AND_STATE} from due
    on conflict do nothing returning subscription_id, subject, days
  )
  select due.id, due.subject, due.days, written.subscription_id is not null as "isNew"
  from due left join written
    on written.subscription_id = due.id and written.subject = due.subject and written.days = due.days
  order by due.id`;
  });

const BOLETOS: DueWriter = {
  plain: ofBoletos('write reminders', ''),
  locking: ofBoletos('write reminders to publish', 'for no key update of charge'),
  bound: (date) => date,
};

const SUBSCRIPTIONS = SUBSCRIPTION_REMINDERS.map((kind) => {
  const words = kind.toLowerCase().replace('_', ' ');
  const writer: DueWriter = {
    plain: ofSubscriptions(kind, `write ${words} reminders`, ''),
    locking: ofSubscriptions(
      kind,
      `write ${words} reminders to publish`,
      'for no key update of subscription',
    ),
    bound: REMINDED[kind].bound,
  };
  return [kind, writer] as const;
});

export const DUE_REMINDERS = Object.fromEntries([['BOLETO', BOLETOS], ...SUBSCRIPTIONS]) as Readonly<
  Record<ReminderKind, DueWriter>
>;

/** The parameters of steps that fall into some days. */
export function boundsOf(
  { bound }: DueWriter,
  ranges: readonly StepRange[],
): Pick<Due, 'days' | 'afters' | 'untils'> {
  return {
    days: ranges.map(({ days }) => String(days)),
    afters: ranges.map(({ after }) => bound(after)),
    untils: ranges.map(({ until }) => bound(until)),
  };
}
