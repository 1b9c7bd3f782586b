import type { Charge } from '../../database/entities/charge.ts';
import { say } from './language.ts';
import { WALLET_NAMES } from './method-words.ts';

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  amex: 'American Express',
  hipercard: 'Hipercard',
};

/** A brand as its cards write it; one that is not known stays as the provider writes it. */
export function brandName(brand: string): string {
  return BRANDS[brand] ?? brand;
}

type Card = Pick<Charge, 'cardBrand' | 'cardLastFour'> & Partial<Pick<Charge, 'cardWallet'>>;

/** `Visa final 4242`, or `Apple Pay, Visa final 4242`; null for payments by other methods. */
export function cardText({ cardBrand, cardLastFour, cardWallet = null }: Card): string | null {
  if (cardLastFour === null) return null;
  const brand = BRANDS[cardBrand ?? ''] ?? say('checkout.card');
  const text = say('checkout.endingIn', { brand, digits: cardLastFour });
  return cardWallet === null ? text : `${WALLET_NAMES[cardWallet]}, ${text}`;
}
