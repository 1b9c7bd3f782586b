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

/**
 * The issuer's answer. An approved payment has also been captured. PENDING and REQUIRES_ACTION are not final: the same
 * request, repeated after the pause, gets the answer.
 */
export type CardAnswer =
  | { readonly outcome: 'APPROVED'; readonly payment: ProviderPayment }
  | { readonly outcome: 'DECLINED'; readonly reason: DeclineReason }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'REQUIRES_ACTION'; readonly nextAction: CardAction; readonly pollAfterMs: number };

/** What the payer has to do before the issuer decides (3-D Secure). */
export type CardAction =
  | { readonly kind: 'REDIRECT'; readonly url: string }
  /** For the provider's own script in the payer's browser. */
  | { readonly kind: 'CLIENT_SECRET'; readonly clientSecret: string };
