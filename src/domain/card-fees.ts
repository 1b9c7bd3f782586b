import { MAX_AMOUNT_CENTS } from './money.ts';
import { feeCentsOf, type PlatformFee, type PlatformFees, platformFeeOf } from './platform-fee.ts';

/** The most installments of a card payment. */
export const MAX_INSTALLMENTS = 12;

/** Fees of card payments by number of installments. Numbers that are missing are unknown. */
export type CardFees = ReadonlyMap<number, PlatformFee>;

/** Of a provider that keeps nothing. */
export const NO_CARD_FEES: CardFees = new Map(
  Array.from({ length: MAX_INSTALLMENTS }, (_, index) => [index + 1, { fixedCents: 0, share: 0 }]),
);

/** What {@link readCardFees} reads, for messages. */
export const CARD_FEES_RULE =
  'must be fees such as 3.99+0.39 (percent + reais), or 1: 2.99+0.49; 2-6: 3.49+0.49; 7-12: 3.99+0.49 by number of installments';

const FEE = /^(?:([1-9]\d?)(?:-([1-9]\d?))?:)?(\d{1,2})(?:[.,](\d{1,2}))?(?:\+(\d{1,3})(?:[.,](\d{1,2}))?)?$/;
/** More than half of a payment is a typing error. */
const MAX_SHARE = 5_000;

/**
 * Fees as people write them: `3.99+0.39` for every number of installments, or `1: 2.99+0.49; 2-6: 3.49+0.49`. Percents and reais
 * have up to two decimals, after a point or a comma.
 * @returns null if the text is something else, or names a number of installments twice.
 */
export function readCardFees(text: string): CardFees | null {
  const fees = new Map<number, PlatformFee>();
  const parts = text.replace(/\s/g, '').split(';');
  for (const part of parts.at(-1) === '' ? parts.slice(0, -1) : parts) {
    const match = FEE.exec(part);
    if (match === null) return null;
    const [, from, until = from, percent = '', hundredths = '', reais = '0', cents = ''] = match;
    const share = Number(percent) * 100 + Number(hundredths.padEnd(2, '0'));
    const fee = { share, fixedCents: Number(reais) * 100 + Number(cents.padEnd(2, '0')) };
    const first = Number(from ?? 1);
    const last = Number(until ?? MAX_INSTALLMENTS);
    if (share > MAX_SHARE || last > MAX_INSTALLMENTS || first > last) return null;
    for (let count = first; count <= last; count += 1) {
      if (fees.has(count)) return null;
      fees.set(count, fee);
    }
  }
  return fees.size === 0 ? null : fees;
}

/** All fees of one card payment, each rounded by itself, for 1, 2, … installments. */
export type PassedFees = readonly (readonly PlatformFee[])[];

/** The fees that payers pay: the platform's, and the provider's as far as they are known without a gap. */
export function passedFeesOf(platformFees: PlatformFees, providerFees: CardFees): PassedFees {
  const passed: (readonly PlatformFee[])[] = [];
  for (let count = 1; count <= MAX_INSTALLMENTS; count += 1) {
    const ofProvider = providerFees.get(count);
    if (ofProvider === undefined) break;
    passed.push([platformFeeOf(platformFees, 'CARD', count), ofProvider]);
  }
  return passed;
}

/**
 * What the payer pays so that the store keeps the price: the smallest amount that is not below it after the fees (contract
 * section 5, "Fees that the payer pays").
 * @param priceCents at least one cent.
 * @returns null if no charge can have such an amount.
 */
export function totalWithFeesCents(priceCents: number, fees: readonly PlatformFee[]): number | null {
  const share = fees.reduce((sum, fee) => sum + fee.share, 0);
  const fixedCents = fees.reduce((sum, fee) => sum + fee.fixedCents, 0);
  if (share >= 10_000) return null;
  const keptOf = (cents: number) => cents - fees.reduce((sum, fee) => sum + feeCentsOf(fee, cents), 0);
  // Each rounding takes at most half a cent less than its share, so no smaller amount is enough.
  const exact = 2n * BigInt(priceCents + fixedCents) - BigInt(fees.length);
  const least = Number((exact * 10_000n) / (2n * BigInt(10_000 - share)));
  let totalCents = Math.max(priceCents, least);
  while (totalCents <= MAX_AMOUNT_CENTS && keptOf(totalCents) < priceCents) totalCents += 1;
  return totalCents <= MAX_AMOUNT_CENTS ? totalCents : null;
}

/** The totals of a price for 1, 2, … installments, as far as charges can have them. */
export function totalsWithFeesCents(priceCents: number, passed: PassedFees): readonly number[] {
  const totals: number[] = [];
  for (const fees of passed) {
    const totalCents = totalWithFeesCents(priceCents, fees);
    if (totalCents === null) break;
    totals.push(totalCents);
  }
  return totals;
}
