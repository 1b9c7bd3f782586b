import { isSendingTime } from '../domain/reminders.ts';
import { MAIL_BATCH } from './mailer.ts';
import { LOOKED_AT, type QueueOfMode } from './queue/queued-reminders.ts';

/** How the reminders of one kind are dropped, taken and sent. */
export interface ReminderQueue<Mail> {
  /** Drops those that are not needed any more. */
  readonly drop: (queue: QueueOfMode) => Promise<readonly unknown[]>;
  readonly take: (queue: QueueOfMode & { readonly limit: number }) => Promise<readonly Mail[]>;
  readonly send: (mail: Mail) => Promise<void>;
}

/**
 * Sends a batch of due reminders: those of production first. Test environments have their own time, in which quiet hours were kept when the
 * reminder was written.
 * @returns how many were claimed; a whole batch if more may be due.
 */
export async function sendReminders<Mail>(
  { drop, take, send }: ReminderQueue<Mail>,
  now: Date,
): Promise<number> {
  let left = MAIL_BATCH;
  let areMoreDue = false;
  for (const devMode of isSendingTime(now) ? [false, true] : [true]) {
    areMoreDue ||= (await drop({ now, devMode })).length === LOOKED_AT;
    const mails = await take({ now, devMode, limit: left });
    await Promise.all(mails.map(send));
    left -= mails.length;
    if (left === 0) break;
  }
  return areMoreDue ? MAIL_BATCH : MAIL_BATCH - left;
}
