import { type TypedCard, wrongCardFields } from '../domain/card.ts';
import type { PaymentRefusalReason } from './payment-refusal.ts';

const REFUSALS = {
  number: 'CARD_NUMBER_INVALID',
  holderName: 'CARD_HOLDER_REQUIRED',
  expiry: 'CARD_EXPIRY_INVALID',
  cvv: 'CARD_CVV_INVALID',
} as const satisfies Record<keyof TypedCard, PaymentRefusalReason>;

/** Everything that is wrong with a typed card; empty if the provider may be asked about it. */
export function cardRefusalsOf(card: TypedCard | null, now: Date): readonly PaymentRefusalReason[] {
  return card === null ? ['CARD_REQUIRED'] : wrongCardFields(card, now).map((field) => REFUSALS[field]);
}
