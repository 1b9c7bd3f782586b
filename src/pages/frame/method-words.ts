import type { ChargeMethod, PaymentMethod } from '../../domain/charge.ts';
import type { Phrase } from './language.ts';

/** How payers read a method's name. */
export const METHOD_NAMES: Readonly<Record<ChargeMethod, Phrase>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  CARD: 'Cartão de crédito',
  FREE: 'Cupom de 100 %',
};

/** What a payment is called at the beginning of a sentence. */
export const METHOD_SUBJECTS: Readonly<Record<ChargeMethod, Phrase>> = {
  PIX: 'O código Pix',
  BOLETO: 'O boleto',
  CARD: 'O pagamento com cartão',
  FREE: 'O pedido',
};

/** What the button says before the amount. */
export const PAY_LABELS: Readonly<Record<PaymentMethod, Phrase>> = {
  PIX: 'Gerar Pix de',
  CARD: 'Pagar',
  BOLETO: 'Gerar boleto de',
};

/** The same for a subscription; null where none can be paid so. */
export const SUBSCRIBE_LABELS: Readonly<Record<PaymentMethod, Phrase | null>> = {
  PIX: 'Assinar e gerar Pix de',
  CARD: 'Assinar e pagar',
  BOLETO: null,
};
