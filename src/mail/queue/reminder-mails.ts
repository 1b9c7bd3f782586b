import { statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { COUNT_ATTEMPT } from './mail-attempts.ts';
import { firstQueued, type QueueOfMode } from './queued-reminders.ts';

/** A reminder that is due (`src/reminders/reminder-round.ts`). */
export interface ReminderMail {
  readonly chargeId: ChargeId;
  /** The step. */
  readonly days: number;
  /** The number of attempts, including this one. */
  readonly attempts: number;
}

/** A charge that ended, or that has a newer reminder, needs none. */
const IS_NEEDED = `(
    exists (select from charges where id = reminder.charge_id and status = 'PENDING')
    and not exists (select from reminders newer where newer.charge_id = reminder.charge_id and newer.days > reminder.days))`;

/** The first due ones. All that are due may be many more, and whether each is needed takes two look-ups. */
const FIRST = firstQueued('reminders', 'charge_id, days');

/** Drops those of the first due reminders that are not needed any more. */
export const DROP_NEEDLESS_REMINDERS = statement<QueueOfMode, Pick<ReminderMail, 'chargeId'>>(
  'drop needless reminders',
  () => `
  update reminders set status = 'DROPPED', ended_at = :now
  where (charge_id, days) in (
    select charge_id, days from reminders reminder where (charge_id, days) in (${FIRST}) and not ${IS_NEEDED}
    for update skip locked
  )
  returning charge_id as "chargeId"`,
);

/** Takes some of the first due reminders that are still needed, as for receipts. */
export const TAKE_REMINDER_MAILS = statement<QueueOfMode & { limit: number }, ReminderMail>(
  'take reminder mails',
  () => `
  update reminders set ${COUNT_ATTEMPT}
  where (charge_id, days) in (
    select charge_id, days from reminders reminder where (charge_id, days) in (${FIRST}) and ${IS_NEEDED}
    order by next_attempt_at limit :limit for update skip locked
  )
  returning charge_id as "chargeId", days, attempts`,
);

/** The reminder was sent, nobody may be written to, or the mail server refuses it for good. */
export const END_REMINDER_MAIL = statement<{
  mail: ReminderMail;
  status: 'SENT' | 'DROPPED' | 'FAILED';
  now: Date;
}>(
  'end a reminder mail',
  () => `
  update reminders set status = :status, ended_at = :now
  where charge_id = :mail.chargeId and days = :mail.days::smallint and status = 'QUEUED'`,
);
