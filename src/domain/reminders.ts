import { isBankHoliday } from './business-days.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight, weekday } from './civil-date.ts';

/** How a store reminds payers: not, by e-mail, or by an event for a program of the store that sends messages. */
export const REMINDER_CHANNELS = ['NONE', 'EMAIL', 'WEBHOOK'] as const;
export type ReminderChannel = (typeof REMINDER_CHANNELS)[number];

/**
 * What payers of a subscription are reminded of, and the date from which steps count:
 * - RENEWAL: its next charge, and the day of that charge.
 * - TRIAL_END: the end of its trial, and the day of the first charge.
 * - PAST_DUE: a cycle that is not paid, and the day on which it was due.
 * - CARD_EXPIRY: its card, and the last day on which the card is valid.
 */
export const SUBSCRIPTION_REMINDERS = ['RENEWAL', 'TRIAL_END', 'PAST_DUE', 'CARD_EXPIRY'] as const;
export type SubscriptionReminderKind = (typeof SUBSCRIPTION_REMINDERS)[number];

/** What payers are reminded of. BOLETO: an open boleto, and its due date. */
export const REMINDER_KINDS = ['BOLETO', ...SUBSCRIPTION_REMINDERS] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/** Whether payers are reminded of a subscription, and not of a charge. */
export function isOfSubscriptions(kind: ReminderKind): kind is SubscriptionReminderKind {
  return SUBSCRIPTION_REMINDERS.some((each) => each === kind);
}

/** How a store sends one kind of reminders. */
export interface ReminderSchedule {
  readonly channel: ReminderChannel;
  /** Days after the date of the kind, negative before it, in ascending order. There is at most one reminder per step. */
  readonly steps: readonly number[];
}

/** How a store reminds payers, in one environment: of open boletos, and of subscriptions. */
export interface ReminderSettings extends ReminderSchedule {
  readonly ofSubscriptions: Readonly<Record<SubscriptionReminderKind, ReminderSchedule>>;
  /** For payers whose language is not known: `pt`, `en` or `es`. */
  readonly language: string;
}

/** The settings of a store that has not changed them. No payer is reminded unless the store wants it. */
export const DEFAULT_REMINDER_SETTINGS: ReminderSettings = {
  channel: 'NONE',
  steps: [-3, 0, 3],
  ofSubscriptions: {
    RENEWAL: { channel: 'NONE', steps: [-3] },
    TRIAL_END: { channel: 'NONE', steps: [-3] },
    PAST_DUE: { channel: 'NONE', steps: [1, 4, 7] },
    CARD_EXPIRY: { channel: 'NONE', steps: [-30, -7] },
  },
  language: 'pt',
};

export function scheduleOf(settings: ReminderSettings, kind: ReminderKind): ReminderSchedule {
  return isOfSubscriptions(kind) ? settings.ofSubscriptions[kind] : settings;
}

/** A value for each kind of reminders. */
export function eachReminderKind<Value>(make: (kind: ReminderKind) => Value): Record<ReminderKind, Value> {
  return Object.fromEntries(REMINDER_KINDS.map((kind) => [kind, make(kind)])) as Record<ReminderKind, Value>;
}

/** The settings as the audit log shows them. */
export function reminderDetails(settings: ReminderSettings): Record<string, string> {
  const schedules = eachReminderKind((kind) => {
    const { channel, steps } = scheduleOf(settings, kind);
    return channel === 'NONE' ? channel : `${channel} ${steps.join(', ')}`;
  });
  return { ...schedules, language: settings.language };
}

/** Whether a store wants reminders of any kind. */
export function sendsReminders(settings: ReminderSettings): boolean {
  return REMINDER_KINDS.some((kind) => scheduleOf(settings, kind).channel !== 'NONE');
}

export const MOST_STEPS = 6;

/** The earliest and the latest step of each kind. */
export const STEP_LIMITS: Readonly<Record<ReminderKind, readonly [earliest: number, latest: number]>> = {
  // A boleto with fine or interest can be paid for 60 days after its due date.
  BOLETO: [-30, 60],
  // A charge of the day itself may have been made before the morning.
  RENEWAL: [-30, -1],
  TRIAL_END: [-30, -1],
  // On the day itself a charge may fail after the morning.
  PAST_DUE: [1, 60],
  CARD_EXPIRY: [-60, 0],
};

/** Steps as people type them, such as `-3, 0, 3`, in order and each once; null for any other text, and for no step. */
export function parseSteps(text: string, kind: ReminderKind = 'BOLETO'): number[] | null {
  const [earliest, latest] = STEP_LIMITS[kind];
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (!words.every((word) => /^[+-]?\d{1,2}$/.test(word))) return null;
  const steps = [...new Set(words.map(Number))].map((step) => step + 0).toSorted((a, b) => a - b);
  const areAllowed = steps.every((step) => step >= earliest && step <= latest);
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

/** The dates for which a step falls into some days: after the first date, up to the second. */
export interface StepRange {
  readonly days: number;
  readonly after: CivilDate;
  readonly until: CivilDate;
}

/**
 * The dates whose reminders begin after the day `done` and up to the day `until`, on both of which reminders are sent. A step on
 * a Sunday or holiday moves to the next other day, so it is after `done` if and only if its own day is.
 */
export function rangesOf(steps: readonly number[], done: CivilDate, until: CivilDate): StepRange[] {
  return steps.map((days) => ({ days, after: addDays(done, -days), until: addDays(until, -days) }));
}
