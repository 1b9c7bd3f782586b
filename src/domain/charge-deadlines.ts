import type { Fine, Interest } from './charge.ts';
import { addDays, type CivilDate, saoPauloMidnight } from './civil-date.ts';
import { LOCAL_HOLIDAYS_DAYS, lastDayToPay, lastDayToPayWithoutAdditions } from './last-day-to-pay.ts';

/** How long a PIX charge can be paid unless its request says otherwise: one day. */
export const DEFAULT_PIX_EXPIRY_SECONDS = 86_400;

/** How long a payer has for the PIX code of a checkout, and the longest reservation of a coupon by it. */
export const CHECKOUT_PIX_EXPIRY_SECONDS = 30 * 60;

/** Business days a boleto's payer has unless a due date is given (contract section 4). */
export const DEFAULT_BUSINESS_DAYS = 3;

/**
 * A card payment that could not begin for this long, because Temporal was unavailable, is given up: its payer has
 * left, and the charge would surprise them.
 */
const DECISION_WINDOW_MS = 10 * 60 * 1_000;

/**
 * How long a cycle's card charge is shown as pending. No payer waits, so a longer outage of Recebe or the issuer
 * does not end it: Recebe retries until the issuer answers.
 */
const COLLECTION_WINDOW_MS = 24 * 60 * 60 * 1_000;

/** When a charge is shown to expire, stops accepting payments, and starts to cost more. */
export interface Deadlines {
  readonly expiresAt: Date;
  readonly closesAt: Date;
  readonly lateFrom: Date | null;
}

/**
 * A PIX charge ends at the requested second, or earlier if its code does.
 * @param codeExpiresAt when payers' banks start to refuse the code; null if its provider does not report it.
 */
export function pixDeadlines(
  expiresInSeconds: number,
  now: Date,
  codeExpiresAt: Date | null = null,
): Deadlines {
  const wantedMs = now.getTime() + expiresInSeconds * 1_000;
  const expiresAt = new Date(Math.min(wantedMs, codeExpiresAt?.getTime() ?? Infinity));
  return { expiresAt, closesAt: expiresAt, lateFrom: null };
}

/**
 * A PIX charge whose code was paid before the charge was stored: nobody can pay it again, so its workflow closes it
 * at once and accepts the payment that it finds.
 */
export function pixDeadlinesOfPaid(paidAt: Date, now: Date): Deadlines {
  const expiresAt = new Date(Math.max(now.getTime(), paidAt.getTime() + 1_000));
  return { expiresAt, closesAt: expiresAt, lateFrom: null };
}

/** The deadlines of a charge that is decided, or given up, as soon as its workflow runs. */
export function decidedAtOnce(now: Date): Deadlines {
  const endsAt = new Date(now.getTime() + DECISION_WINDOW_MS);
  return { expiresAt: endsAt, closesAt: endsAt, lateFrom: null };
}

/** The deadlines of a cycle that is collected from a card. */
export function collectedFromCard(now: Date): Deadlines {
  const endsAt = new Date(now.getTime() + COLLECTION_WINDOW_MS);
  return { expiresAt: endsAt, closesAt: endsAt, lateFrom: null };
}

/**
 * A boleto is shown to expire as its due date begins in São Paulo, may be paid without additions to the end
 * of that day or of the next business day, and with interest or fine for 60 more days (contract section 4).
 */
export function boletoDeadlines(dueDate: CivilDate, interest: Interest | null, fine: Fine | null): Deadlines {
  return {
    expiresAt: saoPauloMidnight(dueDate),
    closesAt: endOf(lastDayToPay({ method: 'BOLETO', dueDate, interest, fine })),
    lateFrom: lateFromOf(dueDate, interest, fine),
  };
}

/**
 * A PIX charge with a due date expires at the end of its last day by the national calendar. Its bank may know of local holidays, so
 * its code is removed there some days later ({@link LOCAL_HOLIDAYS_DAYS}).
 */
export function duePixDeadlines(dueDate: CivilDate, interest: Interest | null, fine: Fine | null): Deadlines {
  const lastDay = lastDayToPay({ method: 'PIX', dueDate, interest, fine });
  return {
    expiresAt: endOf(lastDay),
    closesAt: endOf(addDays(lastDay, LOCAL_HOLIDAYS_DAYS)),
    lateFrom: lateFromOf(dueDate, interest, fine),
  };
}

function lateFromOf(dueDate: CivilDate, interest: Interest | null, fine: Fine | null): Date | null {
  return interest === null && fine === null ? null : endOf(lastDayToPayWithoutAdditions(dueDate));
}

/** The first instant after a day in São Paulo. */
function endOf(day: CivilDate): Date {
  return saoPauloMidnight(addDays(day, 1));
}
