import { generalCheckDigit, withFieldCheckDigit } from './boleto-check-digits.ts';
import { type CivilDate, civilDate, daysBetween } from './civil-date.ts';
import { isAmountCents } from './money.ts';

/** Day 0 of the due factor (Bacen, Carta-Circular 2.926/2000). */
const FACTOR_EPOCH = civilDate('1997-10-07');

/** Four digits hold 1000 to 9999 once the count has left the leading zeros, which mean "no due date". */
const FACTOR_RESTART = 1000;
const FACTOR_CYCLE_DAYS = 9000;

/** The digit after the bank code that says the amount is in reais. */
const CURRENCY_REAL = '9';

/** The parts of a bar code. */
export interface BarCodeContent {
  /** Three-digit clearing code of the bank. */
  readonly bankCode: string;
  readonly dueDate: CivilDate;
  readonly amountCents: number;
  /** The 25 digits whose layout each bank defines. */
  readonly freeField: string;
}

/** The content of a digitable line. */
export interface BoletoReading {
  readonly barCode: string;
  readonly bankCode: string;
  /** 0 if the slip names no amount. */
  readonly amountCents: number;
  /** See {@link dueFactor}; 0 when the slip has no due date. */
  readonly dueFactor: number;
  readonly freeField: string;
}

/**
 * Days from 1997-10-07 to `dueDate` in four digits: 9999 is 2025-02-21, the day after starts again at 1000
 * (contract section 4; Febraban). The same restart is applied every 9000 days from then on, next on
 * 2049-10-14: no rule for that day has been published yet. A factor alone therefore names a day only up to
 * a multiple of 9000 days.
 *
 * @throws RangeError for days before 1997-10-08.
 */
export function dueFactor(dueDate: CivilDate): number {
  const days = daysBetween(FACTOR_EPOCH, dueDate);
  if (!(days >= 1)) throw new RangeError('due date is before the first due factor');
  return days < FACTOR_RESTART ? days : FACTOR_RESTART + ((days - FACTOR_RESTART) % FACTOR_CYCLE_DAYS);
}

/**
 * The bank's 25 digits in a common arrangement: agency 4, wallet 2, "nosso número" 11, account 7, zero.
 * Each part is given in digits and filled with zeros on the left.
 *
 * @throws RangeError when a part is not digits or too long.
 */
export function buildFreeField(parts: {
  readonly agency: string;
  readonly account: string;
  readonly wallet: string;
  readonly ourNumber: string;
}): string {
  const { agency, account, wallet, ourNumber } = parts;
  return `${zeroFilled(agency, 4)}${zeroFilled(wallet, 2)}${zeroFilled(ourNumber, 11)}${zeroFilled(account, 7)}0`;
}

/**
 * The 44 digits of the bar code: bank 3, currency 1, general check digit 1, due factor 4, amount 10, free
 * field 25 (Febraban; Bacen, Carta-Circular 2.926/2000).
 *
 * @throws RangeError when the bank code, amount, due date or free field does not fit.
 */
export function buildBarCode({ bankCode, dueDate, amountCents, freeField }: BarCodeContent): string {
  if (!/^\d{3}$/.test(bankCode)) throw new RangeError('bank code must be 3 digits');
  if (!/^\d{25}$/.test(freeField)) throw new RangeError('free field must be 25 digits');
  if (!isAmountCents(amountCents)) throw new RangeError('amount does not fit a bar code');
  const head = `${bankCode}${CURRENCY_REAL}`;
  const tail = `${zeroFilled(String(dueFactor(dueDate)), 4)}${zeroFilled(String(amountCents), 10)}${freeField}`;
  return `${head}${generalCheckDigit(head + tail)}${tail}`;
}

/**
 * The 47 digits a payer types: the bar code rearranged into five fields, the first three with a check digit
 * each.
 *
 * @throws RangeError when `barCode` is not 44 digits.
 */
export function digitableLine(barCode: string): string {
  if (!/^\d{44}$/.test(barCode)) throw new RangeError('bar code must be 44 digits');
  const freeField = barCode.slice(19);
  return [
    withFieldCheckDigit(barCode.slice(0, 4) + freeField.slice(0, 5)),
    withFieldCheckDigit(freeField.slice(5, 15)),
    withFieldCheckDigit(freeField.slice(15)),
    barCode.slice(4, 19),
  ].join('');
}

/** A digitable line as printed: `00190.50095 40144.816069 06809.350314 3 37370000000100`. */
export function formatDigitableLine(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}

/**
 * The bar code behind a digitable line, without verifying a check digit.
 *
 * @throws RangeError when `line` is not 47 digits.
 */
export function barCodeOf(line: string): string {
  if (!/^\d{47}$/.test(line)) throw new RangeError('digitable line must be 47 digits');
  return line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);
}

/**
 * Reads a digitable line, bare or printed with dots and spaces, and verifies its four check digits.
 *
 * A single wrong digit is always detected in the first three fields and in the general check digit. In due
 * factor and amount it may pass if the general check digit is 1, because three of the eleven remainders give
 * that digit.
 *
 * @returns null when it is not a valid line in reais.
 */
export function parseDigitableLine(text: string): BoletoReading | null {
  const line = text.replace(/[. ]/g, '');
  if (!/^\d{47}$/.test(line)) return null;
  const barCode = barCodeOf(line);
  if (barCode[3] !== CURRENCY_REAL || digitableLine(barCode) !== line) return null;
  if (Number(barCode[4]) !== generalCheckDigit(barCode.slice(0, 4) + barCode.slice(5))) return null;
  return {
    barCode,
    bankCode: barCode.slice(0, 3),
    amountCents: Number(barCode.slice(9, 19)),
    dueFactor: Number(barCode.slice(5, 9)),
    freeField: barCode.slice(19),
  };
}

function zeroFilled(digits: string, length: number): string {
  if (!/^\d+$/.test(digits) || digits.length > length)
    throw new RangeError(`must be at most ${length} digits`);
  return digits.padStart(length, '0');
}
