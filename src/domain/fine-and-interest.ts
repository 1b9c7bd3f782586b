import { type DueTerms, dueTermsOf } from './charge.ts';
import { type CivilDate, daysBetween } from './civil-date.ts';
import { lastDayToPayWithoutAdditions } from './last-day-to-pay.ts';
import { MAX_AMOUNT_CENTS, roundHalfUpDivide } from './money.ts';
import { METHOD_TRAITS } from './payment-methods.ts';

/** Interest and percentage fines are given in hundredths of a percent (contract section 4.6). */
const HUNDREDTHS_OF_PERCENT = 10_000n;

/** Interest is monthly and accrues pro rata die over commercial months of 30 days (contract section 4). */
const DAYS_PER_MONTH = 30n;

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
