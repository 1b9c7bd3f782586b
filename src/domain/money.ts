/**
 * The largest amount a charge may ask for, in cents: what the ten digits of a boleto's bar code hold
 * (contract section 1, "Money").
 */
export const MAX_AMOUNT_CENTS = 9_999_999_999;

/** Whether `value` is an amount a charge may ask for: whole cents, 1 to {@link MAX_AMOUNT_CENTS}. */
export function isAmountCents(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_AMOUNT_CENTS;
}

/**
 * `numerator / denominator` rounded to the nearest integer, an exact half upwards, without floating point.
 *
 * @throws RangeError when the numerator is negative, the denominator is not positive, or the result is too
 *   large to be an exact number.
 */
export function roundHalfUpDivide(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('only non-negative fractions are rounded');
  const rounded = (2n * numerator + denominator) / (2n * denominator);
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('amount is too large');
  return Number(rounded);
}

/** The share of `cents` that `part` is of `whole`, rounded towards zero, exact for all amounts. */
export function shareOf(cents: number, part: number, whole: number): number {
  return Number((BigInt(cents) * BigInt(part)) / BigInt(whole));
}

/** Cents as a plain decimal, `123456` → `1234.56`, by integer arithmetic; the form EMV codes use. */
export function decimalOf(amountCents: number): string {
  if (!Number.isSafeInteger(amountCents) || amountCents < 0) {
    throw new RangeError('amount must be whole, non-negative cents');
  }
  const cents = amountCents % 100;
  return `${(amountCents - cents) / 100}.${cents < 10 ? '0' : ''}${cents}`;
}

/** Cents of a plain decimal with at most two places, `10`, `10.5` or `10.50`; null if `text` is no such number. */
export function centsOfDecimal(text: string): number | null {
  const [, reais, cents = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return reais === undefined ? null : Number(reais) * 100 + Number(cents.padEnd(2, '0'));
}

/**
 * Cents as people in Brazil read them, `123456` → `R$ 1.234,56`, with a plain space so that it can be
 * searched and copied.
 *
 * @throws RangeError when the amount is not whole, non-negative cents.
 */
export function formatBrl(amountCents: number): string {
  const [reais = '', cents = ''] = decimalOf(amountCents).split('.');
  return `R$ ${reais.replace(/\B(?=(\d{3})+$)/g, '.')},${cents}`;
}

/** The same of an amount that may be below zero, `-350` → `-R$ 3,50`. @throws RangeError if it is not whole cents. */
export function formatSignedBrl(cents: number): string {
  return cents < 0 ? `-${formatBrl(-cents)}` : formatBrl(cents);
}
