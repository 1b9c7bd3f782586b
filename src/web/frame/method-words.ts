import type { ChargeMethod, PaymentMethod } from '../../domain/charge.ts';
import type { Phrase } from './language.ts';

/** The name of each method on pages for payers. */
export const METHOD_NAMES: Readonly<Record<ChargeMethod, Phrase>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  CARD: 'Cartão de crédito',
  FREE: 'Cupom de 100 %',
};

/** The subject of sentences about a payment. */
export const METHOD_SUBJECTS: Readonly<Record<ChargeMethod, Phrase>> = {
  PIX: 'O código Pix',
  BOLETO: 'O boleto',
  CARD: 'O pagamento com cartão',
  FREE: 'O pedido',
};

/** The button's label before the amount. */
export const PAY_LABELS: Readonly<Record<PaymentMethod, Phrase>> = {
  PIX: 'Gerar Pix de',
  CARD: 'Pagar',
  BOLETO: 'Gerar boleto de',
};

/** The same for a subscription; null if the method cannot pay one. */
export const SUBSCRIBE_LABELS: Readonly<Record<PaymentMethod, Phrase | null>> = {
  PIX: 'Assinar e gerar Pix de',
  CARD: 'Assinar e pagar',
  BOLETO: null,
};
