import { nextBusinessDay } from './business-days.ts';
import { type DueTerms, dueTermsOf, hasLateCharges } from './charge.ts';
import { addDays, type CivilDate, saoPauloMidnight } from './civil-date.ts';
import { METHOD_TRAITS } from './payment-methods.ts';

/**
 * How long a boleto or PIX charge with interest or fine stays payable after its last day without additions (contract
 * section 4).
 */
export const LATE_PAYMENT_WINDOW_DAYS = 60;

/**
 * A payer's bank moves due dates over the holidays of the payer's city and state too, which Recebe does not know (Bacen's API Pix,
 * `CobDataDeVencimento`). So a PIX charge with a due date is open at its bank for this long after its last day, and its bank refuses
 * payers who are late.
 */
export const LOCAL_HOLIDAYS_DAYS = 10;

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
