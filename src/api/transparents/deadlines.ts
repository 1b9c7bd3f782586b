import { addBusinessDays } from '../../domain/business-days.ts';
import type { Fine, Interest } from '../../domain/charge.ts';
import {
  addDays,
  type CivilDate,
  isCivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../domain/civil-date.ts';
import { lastDayToPay, lastDayToPayWithoutAdditions } from '../../domain/late-charges.ts';
import { fieldError, invalid } from '../errors.ts';

/** Business days a payer has unless a due date is given, and how far ahead it may lie (contract section 4). */
const DEFAULT_BUSINESS_DAYS = 3;
const MAX_DAYS_AHEAD = 365;

/** When a charge is shown to expire, stops taking payments, and starts to cost more. */
export interface Deadlines {
  readonly expiresAt: Date;
  readonly closesAt: Date;
  readonly lateFrom: Date | null;
}

/** A PIX charge ends at the second it was given. */
export function pixDeadlines(expiresInSeconds: number, now: Date): Deadlines {
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1_000);
  return { expiresAt, closesAt: expiresAt, lateFrom: null };
}

/**
 * A boleto is shown to expire as its due date begins in São Paulo, may be paid without additions to the end of that day
 * or of the next business day, and with interest or fine for 60 more days (contract section 4).
 */
export function boletoDeadlines(dueDate: CivilDate, interest: Interest | null, fine: Fine | null): Deadlines {
  const terms = { amountCents: 0, dueDate, interest, fine };
  const additions = interest !== null || fine !== null;
  return {
    expiresAt: saoPauloMidnight(dueDate),
    closesAt: saoPauloMidnight(addDays(lastDayToPay(terms), 1)),
    lateFrom: additions ? saoPauloMidnight(addDays(lastDayToPayWithoutAdditions(dueDate), 1)) : null,
  };
}

/** @throws ApiError 400 where it is no date, 422 where it lies before today or more than a year ahead. */
export function dueDateOf(wanted: string | undefined, now: Date): CivilDate {
  const today = saoPauloDateOf(now);
  if (wanted === undefined) return addBusinessDays(today, DEFAULT_BUSINESS_DAYS);
  if (!isCivilDate(wanted)) throw invalid('data.dueDate', 'must be a date that exists, such as 2026-12-10');
  const latest = addDays(today, MAX_DAYS_AHEAD);
  if (wanted >= today && wanted <= latest) return wanted;
  const message = `must be between ${today} and ${latest}, days in America/Sao_Paulo`;
  throw fieldError(422, 'NOT_ACCEPTABLE', 'data.dueDate', message);
}
