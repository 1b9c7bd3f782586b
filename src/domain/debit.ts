import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from './civil-date.ts';
import type { ProductCycle } from './cycle.ts';

/**
 * PLANNED: it is being ordered. ORDERED: the payer's bank debits on the due date. BEGUN: the due date has come, and the cycle is open.
 * DROPPING: nobody wants it any more, and it is being cancelled. All others are final. REFUSED: the provider did not take the order.
 */
export const LIVE_DEBITS = ['PLANNED', 'ORDERED', 'BEGUN', 'DROPPING'] as const;
export type LiveDebitStatus = (typeof LIVE_DEBITS)[number];
export type DebitStatus = LiveDebitStatus | 'PAID' | 'FAILED' | 'REFUSED' | 'DROPPED';

export function isLiveDebit(status: DebitStatus): status is LiveDebitStatus {
  return LIVE_DEBITS.some((live) => live === status);
}

/**
 * The order must reach the payer's bank ten to two days before the due date (Bacen). Sources differ on whether these are business
 * days: seven calendar days are right under both readings. A weekly cycle has no room for that.
 */
const DAYS_AHEAD = { WEEKLY: 3, OTHER: 7 } as const;

/** How many days before the cycle its debit is ordered. */
export function debitDaysAhead(cycle: ProductCycle): number {
  return cycle === 'WEEKLY' ? DAYS_AHEAD.WEEKLY : DAYS_AHEAD.OTHER;
}

/** `cycle` in SQL, as {@link debitDaysAhead}. */
export const SQL_DEBIT_DAYS_AHEAD = `(case cycle when 'WEEKLY' then ${DAYS_AHEAD.WEEKLY} else ${DAYS_AHEAD.OTHER} end)`;

/** Later orders are refused by the payer's bank (Bacen). */
export const LEAST_NOTICE_DAYS = 2;

/** The days of a debit, from when its cycle starts. */
export interface DebitDays {
  readonly dueDate: CivilDate;
  /** From this instant on it is ordered. */
  readonly orderAt: Date;
  /** The due date begins: the debit can be cancelled no more, and the cycle opens. */
  readonly dueAt: Date;
}

export function debitDaysOf(cycle: ProductCycle, cycleStartsAt: Date): DebitDays {
  const dueDate = saoPauloDateOf(cycleStartsAt);
  return {
    dueDate,
    orderAt: saoPauloMidnight(addDays(dueDate, -debitDaysAhead(cycle))),
    dueAt: saoPauloMidnight(dueDate),
  };
}

/** Whether the order still arrives in time. */
export function canStillBeOrdered(dueDate: CivilDate, now: Date): boolean {
  return saoPauloDateOf(now) <= addDays(dueDate, -LEAST_NOTICE_DAYS);
}

const HOUR_MS = 60 * 60_000;

/**
 * When the outcome of an attempt is known: payers' banks debit until 8 in the morning, and again from 18 to 21 (Bacen, intraday
 * attempts).
 */
const OUTCOME_HOURS = [9, 22] as const;

/** When to look up the attempt of a date next; null if its last try is over. */
export function nextOutcomeAt(date: CivilDate, now: Date): Date | null {
  const midnightMs = saoPauloMidnight(date).getTime();
  const next = OUTCOME_HOURS.map((hour) => midnightMs + hour * HOUR_MS).find((ms) => ms > now.getTime());
  return next === undefined ? null : new Date(next);
}

/** Attempts on other dates within this many days after the due date (Bacen, `PERMITE_3R_7D`). */
const RETRIED_WITHIN_DAYS = 7;
const MOST_RETRIES = 3;

/** Further attempts, with some days between them. */
export interface DebitRetries {
  readonly maxRetry: number;
  readonly retryEveryDays: number;
}

/** The part of a store's retry policy that Bacen's rules allow for a debit, before the next one is ordered. `maxRetry` may be 0. */
export function debitRetriesOf(
  { maxRetry, retryEveryDays }: DebitRetries,
  cycle: ProductCycle,
): DebitRetries {
  const everyDays = Math.max(1, retryEveryDays);
  const withinDays = cycle === 'WEEKLY' ? 7 - DAYS_AHEAD.WEEKLY : RETRIED_WITHIN_DAYS;
  const most = Math.min(maxRetry, MOST_RETRIES, Math.floor(withinDays / everyDays));
  return { maxRetry: Math.max(0, most), retryEveryDays: everyDays };
}

/** The dates of further attempts at a debit, by {@link debitRetriesOf}. */
export function retryDatesOf(
  dueDate: CivilDate,
  wanted: DebitRetries,
  cycle: ProductCycle,
): readonly CivilDate[] {
  const { maxRetry, retryEveryDays } = debitRetriesOf(wanted, cycle);
  return Array.from({ length: maxRetry }, (_, index) => addDays(dueDate, retryEveryDays * (index + 1)));
}

/** The charge of a debit is closed at this instant at the latest, if nobody has found out how the debit ended. */
export function debitClosesAt(dueDate: CivilDate): Date {
  return saoPauloMidnight(addDays(dueDate, RETRIED_WITHIN_DAYS + 2));
}
