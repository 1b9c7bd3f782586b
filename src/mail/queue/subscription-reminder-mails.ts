import { REMINDED } from '../../database/reminded-subscriptions.ts';
import { statement } from '../../database/statement.ts';
import type { SubscriptionId } from '../../domain/ids.ts';
import { SUBSCRIPTION_REMINDERS, type SubscriptionReminderKind } from '../../domain/reminders.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';
import { firstQueued, type QueueOfMode } from './queued-reminders.ts';

/** A reminder of a subscription that is due (`src/reminders/reminder-round.ts`). */
export interface SubscriptionReminderMail {
  readonly subscriptionId: SubscriptionId;
  readonly kind: SubscriptionReminderKind;
  readonly subject: string;
  /** The step. */
  readonly days: number;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

const APPLIES = SUBSCRIPTION_REMINDERS.map(
  (kind) =>
    `when '${kind}' then (${REMINDED[kind].applies}) and reminder.subject = ${REMINDED[kind].subject}`,
);

/** The subscription still is what the reminder says, and no newer step has been written. */
const IS_NEEDED = `(
    exists (select from subscriptions subscription
      where subscription.id = reminder.subscription_id and subscription.status = 'ACTIVE'
        and case reminder.kind ${APPLIES.join(' ')} else false end)
    and not exists (select from subscription_reminders newer
      where newer.subscription_id = reminder.subscription_id and newer.kind = reminder.kind
        and newer.subject = reminder.subject and newer.days > reminder.days))`;

const KEY = 'subscription_id, kind, subject, days';

/** The first due ones. All that are due may be many more, and whether each is needed takes two look-ups. */
const FIRST = firstQueued('subscription_reminders', KEY);

/** Drops those of the first due reminders that are not needed any more. */
export const DROP_NEEDLESS_SUBSCRIPTION_REMINDERS = statement<
  QueueOfMode,
  Pick<SubscriptionReminderMail, 'subscriptionId'>
>(
  'drop needless reminders of subscriptions',
  () => `
  update subscription_reminders set status = 'DROPPED', ended_at = :now
  where (${KEY}) in (
    select ${KEY} from subscription_reminders reminder where (${KEY}) in (${FIRST}) and not ${IS_NEEDED}
    for update skip locked
  )
  returning subscription_id as "subscriptionId"`,
);

/** Takes some of the first due reminders that are still needed, as for receipts. */
export const TAKE_SUBSCRIPTION_REMINDER_MAILS = statement<
  QueueOfMode & { limit: number },
  SubscriptionReminderMail
>(
  'take reminder mails of subscriptions',
  () => `
  update subscription_reminders set ${COUNT_ATTEMPT}
  where (${KEY}) in (
    select ${KEY} from subscription_reminders reminder where (${KEY}) in (${FIRST}) and ${IS_NEEDED}
    order by next_attempt_at limit :limit for update skip locked
  )
  returning subscription_id as "subscriptionId", kind, subject, days, attempts`,
);

/** The reminder was sent, nobody may be written to, or the mail server refuses it for good. */
export const END_SUBSCRIPTION_REMINDER_MAIL = statement<{
  mail: Omit<SubscriptionReminderMail, 'attempts'>;
  status: 'SENT' | 'DROPPED' | 'FAILED';
  now: Date;
}>(
  'end a reminder mail of a subscription',
  () => `
  update subscription_reminders set status = :status, ended_at = :now
  where subscription_id = :mail.subscriptionId and kind = :mail.kind and subject = :mail.subject
    and days = :mail.days::smallint and status = 'QUEUED'`,
);
