import type { Charge } from '../../database/entities/charge.ts';

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  amex: 'American Express',
  hipercard: 'Hipercard',
};

type Card = Pick<Charge, 'cardBrand' | 'cardLastFour'>;

/** `Visa final 4242`, or null for what was not paid by card. */
export function cardText({ cardBrand, cardLastFour }: Card): string | null {
  if (cardLastFour === null) return null;
  const brand = BRANDS[cardBrand ?? ''] ?? 'cartão';
  return `${brand} final ${cardLastFour}`;
}
