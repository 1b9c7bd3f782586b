import type { Logger } from 'pino';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { ReminderSettingsEntity, type ReminderSettingsRow } from '../database/entities/reminder-settings.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import {
  isOfSubscriptions,
  isSendingTime,
  newestSendingDay,
  REMINDER_KINDS,
  type ReminderKind,
  rangesOf,
  scheduleOf,
  sendsReminders,
} from '../domain/reminders.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { settingsIn } from '../stores/reminder-settings.ts';
import { boundsOf, DUE_REMINDERS, type DueReminder } from './due-reminders.ts';
import { publishBoletoReminder, publishSubscriptionReminder } from './reminder-events.ts';

/** Reminders written by one statement for the mail queue. */
const MAILED_BATCH = 500;
/** Reminders published in one transaction. It locks their charges or subscriptions, so a payment waits at most this long. */
const PUBLISHED_BATCH = 50;

export interface ReminderDeps {
  readonly database: Database;
  /** Whether there is a mail server. Without one no reminder waits for it. */
  readonly sendsMail: boolean;
  readonly publicUrl: string;
  /** Starts the delivery of a published reminder; after a crash, the sweeper does. */
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  readonly log: Logger;
}

interface Round {
  readonly now: Date;
  /** Absent: all stores. Otherwise `now` is this store's time. */
  readonly owner?: StoreEnvironment;
  /** Called between two batches; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Writes the reminders of each store whose morning has come, each step of a charge or subscription once, and publishes those that a
 * program of the store sends. Any number of processes may do so at once, and stop at any point: a reminder's key is its subject and
 * step, and a store's row says up to which day its reminders are written. If several days are made up for after an outage, a subject
 * gets only the newest of its steps.
 * @returns the number of reminders.
 */
export async function writeReminders(deps: ReminderDeps, round: Round): Promise<number> {
  const { owner, isOver = () => {} } = round;
  const place = owner && { storeId: owner.storeId, devMode: owner.devMode };
  const em = deps.database.em.fork();
  let total = 0;
  for (const wanting of await em.find(ReminderSettingsEntity, { ...place })) {
    try {
      if (sendsReminders(settingsIn(wanting))) total += await writeOf(deps, wanting, round);
    } catch (error) {
      isOver();
      if (owner) throw error;
      // One store's reminders delay no other's. The next round writes them.
      const { storeId, devMode } = wanting;
      deps.log.warn({ storeId, devMode, err: error }, 'reminders not written');
    }
  }
  return total;
}

async function writeOf(
  deps: ReminderDeps,
  row: ReminderSettingsRow,
  { now, owner, isOver = () => {} }: Round,
): Promise<number> {
  const { storeId, devMode, doneUntil } = row;
  const time = owner ? now : await storeTimeOf(deps.database, { storeId, devMode }, now);
  const until = newestSendingDay(time);
  // After an outage that has lasted into the night, they wait for the next day: what is published is sent at once.
  if (until === doneUntil || !(devMode || isSendingTime(time))) return 0;
  const days = { row, until, time };
  let total = 0;
  for (const kind of until > doneUntil ? REMINDER_KINDS : [])
    total += await writeKind(deps, kind, days, isOver);
  // A clock that was reset is behind the days that are done.
  if (until > doneUntil || devMode) await FINISH(deps.database, { storeId, devMode, doneUntil, until });
  return total;
}

interface Days {
  readonly row: ReminderSettingsRow;
  readonly until: CivilDate;
  readonly time: Date;
}

async function writeKind(
  deps: ReminderDeps,
  kind: ReminderKind,
  { row, until, time }: Days,
  isOver: () => void,
): Promise<number> {
  const { storeId, devMode, doneUntil } = row;
  const { channel, steps } = scheduleOf(settingsIn(row), kind);
  if (channel === 'NONE' || (channel === 'EMAIL' && !deps.sendsMail)) return 0;
  const writer = DUE_REMINDERS[kind];
  const limit = channel === 'EMAIL' ? MAILED_BATCH : PUBLISHED_BATCH;
  const bounds = boundsOf(writer, rangesOf(steps, doneUntil, until));
  const due = { storeId, devMode, now: time, ...bounds, before: saoPauloMidnight(until), limit };
  let total = 0;
  let afterId = '';
  for (;;) {
    isOver();
    const some =
      channel === 'EMAIL'
        ? await writer.plain(deps.database, { ...due, afterId })
        : await publishSome(deps, kind, row, { ...due, afterId });
    total += some.filter(({ isNew }) => isNew).length;
    if (some.length < limit) return total;
    afterId = some.at(-1)?.id ?? afterId;
  }
}

/** If this process dies after the commit, the sweeper starts the deliveries. */
async function publishSome(
  { database, publicUrl, startDelivery }: ReminderDeps,
  kind: ReminderKind,
  { language }: ReminderSettingsRow,
  due: Parameters<(typeof DUE_REMINDERS)[ReminderKind]['locking']>[1],
): Promise<DueReminder[]> {
  const publishing = { publicUrl, language, now: due.now };
  const deliveries: DeliveryToStart[] = [];
  const some = await database.em.fork().transactional(async (em) => {
    const locked = await DUE_REMINDERS[kind].locking(em, due);
    for (const reminder of locked.filter(({ isNew }) => isNew))
      deliveries.push(
        ...(isOfSubscriptions(kind)
          ? await publishSubscriptionReminder(em, kind, reminder, publishing)
          : await publishBoletoReminder(em, reminder, publishing)),
      );
    return locked;
  });
  await Promise.all(deliveries.map((delivery) => startDelivery(delivery)));
  return some;
}

/** Does nothing if another process was faster, or the store has turned reminders off. */
const FINISH = statement<StoreEnvironment & { doneUntil: CivilDate; until: CivilDate }>(
  'note that the reminders of a day are written',
  () => `
  update reminder_settings set done_until = :until
  where store_id = :storeId and dev_mode = :devMode and done_until = :doneUntil`,
);
