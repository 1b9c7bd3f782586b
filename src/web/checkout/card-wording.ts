import type { Charge } from '../../database/entities/charge.ts';
import type { DeclineReason } from '../../domain/card.ts';
import type { FailureReason } from '../../domain/charge.ts';
import { type Phrase, say } from '../frame/language.ts';

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  amex: 'American Express',
  hipercard: 'Hipercard',
};

type Card = Pick<Charge, 'cardBrand' | 'cardLastFour'>;

/** `Visa final 4242`, or null for payments by other methods. */
export function cardText({ cardBrand, cardLastFour }: Card): string | null {
  if (cardLastFour === null) return null;
  const brand = BRANDS[cardBrand ?? ''] ?? say('cartão');
  return say('{brand} final {digits}', { brand, digits: cardLastFour });
}

/**
 * The payer's text for a declined card. Suspected fraud reads like any other decline: the reader may be the card's owner, or a
 * fraudster who must not learn what was detected.
 */
const WORDING: Readonly<Record<DeclineReason, Phrase>> = {
  card_declined:
    'O banco do cartão não autorizou o pagamento. Confira os dados, use outro cartão ou fale com o banco que o emitiu.',
  suspected_fraud:
    'O banco do cartão não autorizou o pagamento. Confira os dados, use outro cartão ou fale com o banco que o emitiu.',
  insufficient_funds:
    'O cartão não tem limite ou saldo para este pagamento. Use outro cartão ou mais parcelas.',
  incorrect_cvc: 'O código de segurança não confere. Confira os 3 ou 4 números do CVV e tente de novo.',
  expired_card: 'O cartão está vencido. Confira a validade ou use outro cartão.',
  processing_error: 'Não foi possível falar com o banco do cartão. Espere um instante e tente de novo.',
};

/** Subscriptions cannot be paid in installments. */
const NO_FUNDS_UNDIVIDED: Phrase = 'O cartão não tem limite ou saldo para este pagamento. Use outro cartão.';

/** Why a card payment failed, in the payer's words. @param canDivide whether installments could help. */
export function declineText(reason: FailureReason | null, canDivide: boolean): string {
  if (reason === 'insufficient_funds' && !canDivide) return say(NO_FUNDS_UNDIVIDED);
  if (reason === null || reason === 'pix_expired' || reason === 'payment_cancelled')
    return say(WORDING.card_declined);
  return say(WORDING[reason]);
}
