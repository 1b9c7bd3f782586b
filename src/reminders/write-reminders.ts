import type { Logger } from 'pino';
import { ReminderSettingsEntity, type ReminderSettingsRow } from '../database/entities/reminder-settings.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import type { ChargeId, StoreId } from '../domain/ids.ts';
import { newestSendingDay, rangesOf } from '../domain/reminders.ts';

/** Reminders written by one statement. */
const BATCH = 500;

export interface ReminderDeps {
  readonly database: Database;
  /** Whether there is a mail server. Without one no reminder waits for it. */
  readonly sendsMail: boolean;
  readonly log: Logger;
}

interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

interface Round {
  readonly now: Date;
  /** Absent: all stores. Otherwise `now` is this store's time. */
  readonly owner?: Owner;
  /** Called between two batches; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Writes the reminders of each store whose morning has come, each step of a charge once. Any number of processes may do so at once, and
 * stop at any point: a reminder's key is its charge and step, and a store's row says up to which day its reminders are written. If
 * several days are made up for after an outage, a charge gets only the newest of their steps.
 * @returns the number of reminders.
 */
export async function writeReminders(deps: ReminderDeps, round: Round): Promise<number> {
  const { owner, isOver = () => {} } = round;
  const place = owner && { storeId: owner.storeId, devMode: owner.devMode };
  const em = deps.database.em.fork();
  let total = 0;
  for (const wanting of await em.find(ReminderSettingsEntity, { channel: { $ne: 'NONE' }, ...place })) {
    try {
      total += await writeOf(deps, wanting, round);
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
  { database, sendsMail }: ReminderDeps,
  { storeId, devMode, steps, doneUntil }: ReminderSettingsRow,
  { now, owner, isOver = () => {} }: Round,
): Promise<number> {
  const time = owner ? now : await storeTimeOf(database, { storeId, devMode }, now);
  const until = newestSendingDay(time);
  if (until === doneUntil) return 0;
  const days = { storeId, devMode, steps, doneUntil, until };
  const total = until > doneUntil && sendsMail ? await writeDays(database, days, time, isOver) : 0;
  // A clock that was reset is behind the days that are done.
  if (until > doneUntil || devMode) await FINISH(database, days);
  return total;
}

interface Days extends Owner {
  readonly steps: readonly number[];
  readonly doneUntil: CivilDate;
  readonly until: CivilDate;
}

async function writeDays(
  database: Database,
  { storeId, devMode, steps, doneUntil, until }: Days,
  now: Date,
  isOver: () => void,
): Promise<number> {
  const ranges = rangesOf(steps, doneUntil, until);
  const due = {
    storeId,
    devMode,
    now,
    days: ranges.map(({ days }) => String(days)),
    afters: ranges.map(({ after }) => after),
    untils: ranges.map(({ until: last }) => last),
    before: saoPauloMidnight(until),
    limit: BATCH,
  };
  let total = 0;
  let afterId = '' as ChargeId;
  for (;;) {
    isOver();
    const some = await WRITE(database, { ...due, afterId });
    total += some.filter(({ isNew }) => isNew).length;
    if (some.length < BATCH) return total;
    afterId = some.at(-1)?.chargeId ?? afterId;
  }
}

interface Due extends Owner {
  readonly now: Date;
  readonly days: readonly string[];
  readonly afters: readonly CivilDate[];
  readonly untils: readonly CivilDate[];
  readonly before: Date;
  readonly afterId: ChargeId;
  readonly limit: number;
}

/**
 * Reads ranges of the index of open charges with a due date (migration 0119). A charge that was created on the day itself has just been
 * sent to its payer, so it has no reminder on that day.
 */
const WRITE = statement<Due, { readonly chargeId: ChargeId; readonly isNew: boolean }>(
  'write reminders',
  () => `
  with step as (
    select * from unnest(:days::smallint[], :afters::text[], :untils::text[]) as step (days, after, until)
  ), due as (
    select charge.id, step.days
    from step join charges charge on charge.due_date > step.after and charge.due_date <= step.until
    where charge.store_id = :storeId and charge.dev_mode = :devMode and charge.status = 'PENDING'
      and charge.due_date is not null and charge.id > :afterId and charge.created_at < :before
      and not exists (select from step later
        where later.days > step.days and charge.due_date > later.after and charge.due_date <= later.until)
    order by charge.id limit :limit
  ), written as (
    insert into reminders (charge_id, days, store_id, dev_mode, status, next_attempt_at, created_at)
    select id, days, :storeId, :devMode, 'QUEUED', '-infinity', :now from due
    on conflict do nothing returning charge_id, days
  )
  select due.id as "chargeId", written.charge_id is not null as "isNew"
  from due left join written on written.charge_id = due.id and written.days = due.days order by due.id`,
);

/** Does nothing if another process was faster, or the store has turned reminders off. */
const FINISH = statement<Owner & { doneUntil: CivilDate; until: CivilDate }>(
  'note that the reminders of a day are written',
  () => `
  update reminder_settings set done_until = :until
  where store_id = :storeId and dev_mode = :devMode and done_until = :doneUntil`,
);
