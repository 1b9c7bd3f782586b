import type { PaymentMethod } from '../domain/charge.ts';
import type { EnteredCard } from './entered-card.ts';
import type { TypedPayer } from './payer.ts';

/** The payer's choice and input. */
export interface PaymentChoice {
  /** The same key is the same payment, so that a form submitted twice charges once. */
  readonly submissionKey: string;
  readonly method: PaymentMethod;
  readonly couponCode: string | null;
  /** For a card payment; 1 for all others. */
  readonly installmentsCount: number;
  /**
   * What the page said a typed card costs in so many installments, where the payer pays the fees; null if no page said it. The payer
   * never pays another amount: fees may have changed since.
   */
  readonly shownCardCents: number | null;
  /** For the method CARD. */
  readonly card: EnteredCard | null;
  readonly payer: TypedPayer;
}
