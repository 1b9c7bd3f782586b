import { isBankHoliday } from './business-days.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight, weekday } from './civil-date.ts';

/** Whether and how a store reminds payers. */
export const REMINDER_CHANNELS = ['NONE', 'EMAIL'] as const;
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number];

/** How a store reminds the payers of open boletos, in one environment. */
export interface ReminderSettings {
  readonly channel: ReminderChannel;
  /** Days after the due date, negative before it, in ascending order. A payment has at most one reminder per step. */
  readonly steps: readonly number[];
  /** For payers whose language is not known: `pt`, `en` or `es`. */
  readonly language: string;
}

/** The settings of a store that has not changed them. No payer is reminded unless the store wants it. */
export const DEFAULT_REMINDER_SETTINGS: ReminderSettings = {
  channel: 'NONE',
  steps: [-3, 0, 3],
  language: 'pt',
};

export const MOST_STEPS = 6;
const EARLIEST_STEP = -30;
/** A boleto with fine or interest can be paid for 60 days after its due date. */
const LATEST_STEP = 60;

/** Steps as people type them, such as `-3, 0, 3`, in order and each once; null for any other text, and for no step. */
export function parseSteps(text: string): number[] | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (!words.every((word) => /^[+-]?\d{1,2}$/.test(word))) return null;
  const steps = [...new Set(words.map(Number))].map((step) => step + 0).toSorted((a, b) => a - b);
  const areAllowed = steps.every((step) => step >= EARLIEST_STEP && step <= LATEST_STEP);
  return areAllowed && steps.length >= 1 && steps.length <= MOST_STEPS ? steps : null;
}

const HOUR_MS = 3_600_000;
/** Reminders of a day begin at this hour in São Paulo. */
const MORNING_HOUR = 9;
/** Reminders are sent from the first of these hours to the second one, in São Paulo. */
const QUIET_UNTIL_HOUR = 8;
const QUIET_FROM_HOUR = 20;

/** Whether reminders are sent on `date`: not on Sundays and national holidays, among them those of banks. */
export function isSendingDay(date: CivilDate): boolean {
  return weekday(date) !== 0 && !isBankHoliday(date);
}

/** Whether a reminder may be sent at `instant`. */
export function isSendingTime(instant: Date): boolean {
  const date = saoPauloDateOf(instant);
  const hour = (instant.getTime() - saoPauloMidnight(date).getTime()) / HOUR_MS;
  return isSendingDay(date) && hour >= QUIET_UNTIL_HOUR && hour < QUIET_FROM_HOUR;
}

/** `date` itself if reminders are sent on it, else the first such day after it. */
export function nextSendingDay(date: CivilDate): CivilDate {
  let day = date;
  while (!isSendingDay(day)) day = addDays(day, 1);
  return day;
}

/** When the reminders of a day begin. */
export function morningOf(date: CivilDate): Date {
  return new Date(saoPauloMidnight(date).getTime() + MORNING_HOUR * HOUR_MS);
}

/** The newest day whose reminders have begun at `now`. */
export function newestSendingDay(now: Date): CivilDate {
  let day = saoPauloDateOf(now);
  if (morningOf(day) > now) day = addDays(day, -1);
  while (!isSendingDay(day)) day = addDays(day, -1);
  return day;
}

/** The due dates for which a step falls into some days: after the first date, up to the second. */
export interface StepRange {
  readonly days: number;
  readonly after: CivilDate;
  readonly until: CivilDate;
}

/**
 * The due dates whose reminders begin after the day `done` and up to the day `until`, on both of which reminders are sent. A step on
 * a Sunday or holiday moves to the next other day, so it is after `done` if and only if its own day is.
 */
export function rangesOf(steps: readonly number[], done: CivilDate, until: CivilDate): StepRange[] {
  return steps.map((days) => ({ days, after: addDays(done, -days), until: addDays(until, -days) }));
}
