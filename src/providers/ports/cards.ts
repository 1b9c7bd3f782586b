import type { CardToken, DeclineReason, TypedCard } from '../../domain/card.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { ProviderPayment } from './payment.ts';

export interface CardsPort extends CardTerms {
  /** Exchanges a typed card for a token; null if the provider does not accept the card. Charges nothing. */
  tokenize(card: TypedCard): Promise<CardToken | null>;
  /** Charges a card, once per reference even if repeated. */
  charge(request: ChargeCard): Promise<CardAnswer>;
}

export interface CardTerms {
  readonly maxInstallments: number;
}

export interface ChargeCard {
  readonly chargeId: ChargeId;
  /** The payment's id from now on. The same reference is the same payment. */
  readonly reference: string;
  readonly token: string;
  readonly amountCents: number;
  /** The card's issuer divides it, without interest. */
  readonly installmentsCount: number;
  readonly payer: ProviderPayment['payer'];
  readonly now: Date;
}

/** The issuer's answer. An approved payment has also been captured. */
export type CardAnswer =
  | { readonly outcome: 'APPROVED'; readonly payment: ProviderPayment }
  | { readonly outcome: 'DECLINED'; readonly reason: DeclineReason };
