import { saoPauloDateOf } from './civil-date.ts';

/** Why a card was declined, as providers report it. The payer sees it in words, the integrator as it is. */
export const DECLINE_REASONS = [
  'card_declined',
  'insufficient_funds',
  'incorrect_cvc',
  'expired_card',
  'suspected_fraud',
  'processing_error',
  /** The payer's bank wanted a confirmation by the payer (3-D Secure), which did not come: nobody was there, or time ran out. */
  'authentication_required',
  /** The payer's bank did not accept the confirmation, or the payer refused it. */
  'authentication_failed',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** Wallets on the payer's device that hold cards. A payment through one is a card payment, in one installment. */
export const CARD_WALLETS = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
export type CardWallet = (typeof CARD_WALLETS)[number];

export function isCardWallet(method: string): method is CardWallet {
  return CARD_WALLETS.some((wallet) => wallet === method);
}

/** The stored form of a card: the provider's token instead of its number (PCI DSS 3.5). */
export interface CardToken {
  readonly token: string;
  readonly brand: string;
  readonly lastFour: string;
  /** The last month in which the card is valid, as `YYYY-MM`; null if the provider does not say. */
  readonly expiryMonth: string | null;
  /** The wallet on the payer's device that gave the card; absent or null for any other. */
  readonly wallet?: CardWallet | null;
}

/** A card as its owner typed it. It exists in memory only, on its way to the provider: never logged, never stored. */
export interface TypedCard {
  readonly number: string;
  readonly holderName: string;
  /** `MM/AA`, as it is printed on the card. */
  readonly expiry: string;
  readonly cvv: string;
}

/** The invalid fields of a typed card, in the order in which a form asks for them. */
export function wrongCardFields(
  { number, holderName, expiry, cvv }: TypedCard,
  now: Date,
): readonly (keyof TypedCard)[] {
  const isRight = {
    number: isCardNumber(number),
    holderName: holderName.trim() !== '',
    expiry: isFutureExpiry(expiry, now),
    cvv: /^\d{3,4}$/.test(cvv),
  };
  return (['number', 'holderName', 'expiry', 'cvv'] as const).filter((field) => !isRight[field]);
}

/** Digits of a card number, without the spaces that people type between them. */
export function bareCardNumber(number: string): string {
  return number.replace(/[\s-]/g, '');
}

/** Length and check digit (ISO/IEC 7812-1, Luhn). */
function isCardNumber(number: string): boolean {
  const bare = bareCardNumber(number);
  if (!/^\d{13,19}$/.test(bare)) return false;
  const sum = [...bare].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** A card is good to the last day of the month printed on it. */
function isFutureExpiry(expiry: string, now: Date): boolean {
  const last = expiryMonthOf(expiry);
  return last !== null && last >= saoPauloDateOf(now).slice(0, 7);
}

/** The last month in which a card is valid, as `YYYY-MM`; null if the text is no card expiry. */
export function expiryMonthOf(expiry: string): string | null {
  const [, month, year] = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/.exec(expiry.trim()) ?? [];
  return month === undefined || year === undefined ? null : `20${year}-${month}`;
}
