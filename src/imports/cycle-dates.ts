import type { Subscription } from '../database/entities/subscription.ts';
import { civilDate, daysBetween, saoPauloDateOf, saoPauloMidnight } from '../domain/civil-date.ts';
import { cyclePeriod, firstPeriodAfter, firstPeriodFrom, type ProductCycle } from '../domain/cycle.ts';

/** When another system charges a subscription. */
export interface StatedDates {
  readonly cycle: ProductCycle;
  readonly nextChargeAt: Date;
  /** From where its months or weeks count; null if unknown. */
  readonly anchorAt: Date | null;
  /** The day of the month on which it is charged, where the month has it; null if unknown. */
  readonly anchorDay: number | null;
  /** Whether the next charge is the first one, after a trial. */
  readonly isTrial: boolean;
  readonly startedAt: Date | null;
  /** Whether nothing is charged now. The next charge may then be in the past: it follows the pause. */
  readonly isPaused: boolean;
}

/** The same in the columns of a subscription. */
export type CycleColumns = Pick<
  Subscription,
  'anchorAt' | 'anchorNumber' | 'cycleNumber' | 'cycleStartsAt' | 'cycleEndsAt' | 'trialDays' | 'trialEndsAt'
>;

/** A field of {@link StatedDates} and what it should be. */
export interface WrongDate {
  readonly field: 'nextChargeAt' | 'anchorAt' | 'anchorDay';
  readonly problem: string;
}

/**
 * The first cycle may be charged two years ahead, like the end of a pause or a trial: a later date is likely a mistake.
 */
const LONGEST_WAIT_MS = 2 * 366 * 86_400_000;

/**
 * The cycles of an imported subscription, counted from its anchor: all later charges fall on the days on which the other
 * system would have made them, also after a short month. The time of day is that of the next charge.
 */
export function cycleColumnsOf(stated: StatedDates, now: Date): CycleColumns | WrongDate {
  const { isTrial, startedAt, isPaused } = stated;
  const found = anchorOf(stated);
  if ('problem' in found) return found;
  const { anchorAt } = found;
  if (stated.nextChargeAt <= now && !isPaused) return inThePast(stated, anchorAt, now);
  const index = firstPeriodAfter(anchorAt, stated.cycle, now, found.index);
  const nextChargeAt = cyclePeriod(anchorAt, stated.cycle, index).startsAt;
  if (nextChargeAt.getTime() - now.getTime() > LONGEST_WAIT_MS)
    return { field: 'nextChargeAt', problem: 'must be within two years' };
  if (isTrial) {
    const cycleStartsAt = startedAt !== null && startedAt < now ? startedAt : now;
    const trialDays = Math.max(1, daysBetween(saoPauloDateOf(cycleStartsAt), saoPauloDateOf(nextChargeAt)));
    const trial = { cycleStartsAt, cycleEndsAt: nextChargeAt, trialEndsAt: nextChargeAt, trialDays };
    return { anchorAt, anchorNumber: 1 - index, cycleNumber: 0, ...trial };
  }
  const cycleNumber = Math.max(1, index);
  const period = cyclePeriod(anchorAt, stated.cycle, index - 1);
  return {
    anchorAt,
    anchorNumber: cycleNumber + 1 - index,
    cycleNumber,
    // It was paid ahead for more than one period: nobody knows when the others began.
    cycleStartsAt: period.startsAt < now ? period.startsAt : now,
    cycleEndsAt: nextChargeAt,
    trialDays: null,
    trialEndsAt: null,
  };
}

function inThePast({ cycle }: StatedDates, anchorAt: Date, now: Date): WrongDate {
  const index = firstPeriodAfter(anchorAt, cycle, now, 0);
  const next = saoPauloDateOf(cyclePeriod(anchorAt, cycle, index).startsAt);
  const problem = `must be in the future: a charge that was missed is not made now. The next date is ${next}`;
  return { field: 'nextChargeAt', problem };
}

/** An anchor, and how many periods after it the next charge is. */
interface FoundAnchor {
  readonly anchorAt: Date;
  readonly index: number;
}

function anchorOf(stated: StatedDates): FoundAnchor | WrongDate {
  const { cycle, nextChargeAt, anchorAt, anchorDay } = stated;
  const next = saoPauloDateOf(nextChargeAt);
  if (anchorDay !== null) return anchorOnDay(stated, anchorDay);
  if (anchorAt === null) return { anchorAt: nextChargeAt, index: 0 };
  const anchor = atTimeOf(nextChargeAt, saoPauloDateOf(anchorAt));
  const index = firstPeriodFrom(anchor, cycle, saoPauloMidnight(next), 0);
  if (saoPauloDateOf(cyclePeriod(anchor, cycle, index).startsAt) === next) return { anchorAt: anchor, index };
  return { field: 'anchorAt', problem: `must be a date from which ${cycle} cycles reach ${next}` };
}

/** Years of cycles that are looked at for a month with the day: 29 February is missing for at most eight. */
const YEARS_WITHOUT_DAY = 8;

/** The latest date with this day of the month from which cycles reach the next charge. */
function anchorOnDay({ cycle, nextChargeAt }: StatedDates, day: number): FoundAnchor | WrongDate {
  if (cycle === 'WEEKLY')
    return { field: 'anchorDay', problem: 'must be left out: a weekly subscription has no day of the month' };
  for (let index = 0; index <= 12 * YEARS_WITHOUT_DAY; index += 1) {
    const back = saoPauloDateOf(cyclePeriod(nextChargeAt, cycle, -index).startsAt);
    const on = dateOn(back.slice(0, 7), day);
    if (on === null) continue;
    const anchorAt = atTimeOf(nextChargeAt, on);
    if (cyclePeriod(anchorAt, cycle, index).startsAt.getTime() === nextChargeAt.getTime())
      return { anchorAt, index };
    break;
  }
  const nextDay = Number(saoPauloDateOf(nextChargeAt).slice(8));
  return { field: 'anchorDay', problem: `must be ${nextDay}, or a later day that the month does not have` };
}

function dateOn(month: string, day: number) {
  try {
    return civilDate(`${month}-${String(day).padStart(2, '0')}`);
  } catch {
    return null;
  }
}

/** The instant on a day at the time of day of another one, in São Paulo. */
function atTimeOf(instant: Date, date: ReturnType<typeof saoPauloDateOf>): Date {
  const timeOfDayMs = instant.getTime() - saoPauloMidnight(saoPauloDateOf(instant)).getTime();
  return new Date(saoPauloMidnight(date).getTime() + timeOfDayMs);
}

/** Whether cycles that begin at an instant reach the day of the next charge: then that instant is the anchor. */
export function isAnchorOf(anchorAt: Date, cycle: ProductCycle, nextChargeAt: Date): boolean {
  const stated = { cycle, nextChargeAt, anchorAt, anchorDay: null };
  return !('problem' in anchorOf({ ...stated, isTrial: false, startedAt: null, isPaused: false }));
}
