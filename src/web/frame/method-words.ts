import type { CardWallet } from '../../domain/card.ts';
import type { ChargeMethod, PaymentMethod } from '../../domain/charge.ts';
import type { MessageKey } from '../i18n/catalogs.ts';

/** The name of each method on pages for payers. */
export const METHOD_NAMES: Readonly<Record<ChargeMethod, MessageKey>> = {
  PIX: 'payer.pix',
  BOLETO: 'payer.boletoBankSlip',
  CARD: 'payer.creditCard',
  FREE: 'payer.100Coupon',
};

/** Names that are the same in every language. */
export const WALLET_NAMES: Readonly<Record<CardWallet, string>> = {
  APPLE_PAY: 'Apple Pay',
  GOOGLE_PAY: 'Google Pay',
};

/** The subject of sentences about a payment. */
export const METHOD_SUBJECTS: Readonly<Record<ChargeMethod, MessageKey>> = {
  PIX: 'payer.thePixCode',
  BOLETO: 'payer.theBoleto',
  CARD: 'payer.theCardPayment',
  FREE: 'payer.theOrder',
};

/** The button's label before the amount. */
export const PAY_LABELS: Readonly<Record<PaymentMethod, MessageKey>> = {
  PIX: 'payer.getPixCodeFor',
  CARD: 'payer.pay',
  BOLETO: 'payer.getBoletoFor',
};

/** The same for a subscription; null if the method cannot pay one. */
export const SUBSCRIBE_LABELS: Readonly<Record<PaymentMethod, MessageKey | null>> = {
  PIX: 'payer.subscribeAndGetPixCode',
  CARD: 'payer.subscribeAndPay',
  BOLETO: null,
};
