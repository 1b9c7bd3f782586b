import { nextBusinessDay } from './business-days.ts';
import { type DueTerms, dueTermsOf } from './charge.ts';
import { addDays, type CivilDate, daysBetween, saoPauloMidnight } from './civil-date.ts';
import { MAX_AMOUNT_CENTS, roundHalfUpDivide } from './money.ts';
import { METHOD_TRAITS } from './payment-methods.ts';

/**
 * How long a boleto or PIX charge with interest or fine stays payable after its last day without additions (contract
 * section 4).
 */
export const LATE_PAYMENT_WINDOW_DAYS = 60;

/** Interest and percentage fines are given in hundredths of a percent (contract section 4.6). */
const HUNDREDTHS_OF_PERCENT = 10_000n;

/** Interest is monthly and accrues pro rata die over commercial months of 30 days (contract section 4). */
const DAYS_PER_MONTH = 30n;

/**
 * A payer's bank moves due dates over the holidays of the payer's city and state too, which Recebe does not know (Bacen's API Pix,
 * `CobDataDeVencimento`). So a PIX charge with a due date is open at its bank for this long after its last day, and its bank refuses
 * payers who are late.
 */
export const LOCAL_HOLIDAYS_DAYS = 10;

/** The cost of a charge with a due date on a given day; `totalCents` is the sum of the other three amounts. */
export interface AmountDue {
  readonly amountCents: number;
  readonly fineCents: number;
  readonly interestCents: number;
  readonly totalCents: number;
  /** Calendar days that interest counts; 0 while nothing is added. */
  readonly daysLate: number;
}

/**
 * The due date, or the next business day when banks are closed on it: until then a charge costs its amount
 * (Lei 7.089/1983; contract section 4).
 */
export function lastDayToPayWithoutAdditions(dueDate: CivilDate): CivilDate {
  return nextBusinessDay(dueDate);
}

/**
 * The last day on which it can be paid: the last day without additions, or with interest or fine
 * {@link LATE_PAYMENT_WINDOW_DAYS} calendar days after that one. A boleto's ends on any weekday; a PIX charge's moves to the next
 * business day (Bacen's API Pix, `validadeAposVencimento`).
 */
export function lastDayToPay(terms: Pick<DueTerms, 'method' | 'dueDate' | 'interest' | 'fine'>): CivilDate {
  const lastDay = lastDayToPayWithoutAdditions(terms.dueDate);
  if (!hasLateCharges(terms)) return lastDay;
  const lastLateDay = addDays(lastDay, LATE_PAYMENT_WINDOW_DAYS);
  return METHOD_TRAITS[terms.method].lateAmountBy === 'BANK' ? nextBusinessDay(lastLateDay) : lastLateDay;
}

/**
 * When nobody can pay a charge any more. Its provider may report payments of a boleto later, until `closesAt`, and may accept
 * payments of a PIX charge with a due date until then ({@link LOCAL_HOLIDAYS_DAYS}).
 */
export function payableUntil(charge: Parameters<typeof dueTermsOf>[0] & { readonly closesAt: Date }): Date {
  const terms = dueTermsOf(charge);
  if (terms === null) return charge.closesAt;
  const afterLastDay = saoPauloMidnight(addDays(lastDayToPay(terms), 1));
  return afterLastDay < charge.closesAt ? afterLastDay : charge.closesAt;
}

/**
 * What a payment on `paidOn` (the day in São Paulo) takes. Fine and interest are each rounded half up to the
 * cent, so that every line of a receipt adds up; both are computed on the original amount. The late days of a boleto are
 * counted from the due date even when the payer had until a later business day (contract section 4), those of a PIX charge from
 * that business day (Bacen's API Pix, `CobDataDeVencimento`). What a PIX charge costs is for its bank to say: this is a forecast.
 *
 * Any rate and any fee may be asked for, but no more is ever due than the ten digits of a bar code hold: what
 * exceeds that is not charged. Whether `paidOn` is still inside the window is for {@link lastDayToPay} to
 * say.
 */
export function amountDueOn(terms: DueTerms, paidOn: CivilDate): AmountDue {
  const { amountCents, dueDate } = terms;
  const lastDay = lastDayToPayWithoutAdditions(dueDate);
  if (paidOn <= lastDay) {
    return { amountCents, fineCents: 0, interestCents: 0, totalCents: amountCents, daysLate: 0 };
  }
  const daysLate = daysBetween(
    METHOD_TRAITS[terms.method].lateAmountBy === 'BANK' ? lastDay : dueDate,
    paidOn,
  );
  const fineCents = Math.min(fineCentsOf(terms), MAX_AMOUNT_CENTS - amountCents);
  const room = MAX_AMOUNT_CENTS - amountCents - fineCents;
  const interestCents = Math.min(interestCentsOf(terms, daysLate), room);
  const totalCents = amountCents + fineCents + interestCents;
  return { amountCents, fineCents, interestCents, totalCents, daysLate };
}

/** The total of {@link amountDueOn}. */
export function amountDueCents(terms: DueTerms, paidOn: CivilDate): number {
  return amountDueOn(terms, paidOn).totalCents;
}

/** Whether it costs more once it is late. */
export function hasLateCharges({ interest, fine }: Pick<DueTerms, 'interest' | 'fine'>): boolean {
  return (interest?.value ?? 0) > 0 || (fine?.value ?? 0) > 0;
}

function fineCentsOf({ amountCents, fine }: DueTerms): number {
  if (fine === null) return 0;
  if (fine.type === 'FIXED') return fine.value;
  return roundedCents(BigInt(amountCents) * BigInt(fine.value), HUNDREDTHS_OF_PERCENT);
}

/** `amount × value/10000 × daysLate/30`, as one fraction so that it is rounded only once. */
function interestCentsOf({ amountCents, interest }: DueTerms, daysLate: number): number {
  if (interest === null) return 0;
  const numerator = BigInt(amountCents) * BigInt(interest.value) * BigInt(daysLate);
  return roundedCents(numerator, HUNDREDTHS_OF_PERCENT * DAYS_PER_MONTH);
}

/** Half up to the cent. An amount that is too large for an exact number exceeds every limit anyway. */
function roundedCents(numerator: bigint, denominator: bigint): number {
  if (numerator >= BigInt(MAX_AMOUNT_CENTS) * denominator) return MAX_AMOUNT_CENTS;
  return roundHalfUpDivide(numerator, denominator);
}

/**
 * The amount to pay for a charge on a given São Paulo day, in cents: its amount, with fine and interest if it has
 * a due date that is over.
 */
export function chargeDueCents(charge: Parameters<typeof dueTermsOf>[0], paidOn: CivilDate): number {
  const terms = dueTermsOf(charge);
  return terms === null ? charge.amountCents : amountDueCents(terms, paidOn);
}

/**
 * The least payment that is accepted, in cents. A boleto's payer owes what Recebe computes. The bank of a PIX charge computes what
 * its payer owes, by a calendar with the payer's local holidays, and lets nobody change it, so nothing is computed again: less than
 * the amount without additions is never right, as Recebe asks for no discounts.
 */
export function leastAcceptedCents(charge: Parameters<typeof dueTermsOf>[0], paidOn: CivilDate): number {
  return METHOD_TRAITS[charge.method].lateAmountBy === 'BANK'
    ? charge.amountCents
    : chargeDueCents(charge, paidOn);
}
