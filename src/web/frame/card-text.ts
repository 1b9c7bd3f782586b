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

type Card = Pick<Charge, 'cardBrand' | 'cardLastFour'> & Partial<Pick<Charge, 'cardWallet'>>;

/** `Visa final 4242`, or `Apple Pay, Visa final 4242`; null for payments by other methods. */
export function cardText({ cardBrand, cardLastFour, cardWallet = null }: Card): string | null {
  if (cardLastFour === null) return null;
  const brand = BRANDS[cardBrand ?? ''] ?? say('checkout.card');
  const text = say('checkout.endingIn', { brand, digits: cardLastFour });
  return cardWallet === null ? text : `${WALLET_NAMES[cardWallet]}, ${text}`;
}
