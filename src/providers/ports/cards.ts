import type { CardToken, CardWallet, DeclineReason, TypedCard } from '../../domain/card.ts';
import type { CardFees } from '../../domain/card-fees.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { ProviderError } from '../provider-error.ts';
import type { ProviderPayment } from './payment.ts';
import type { WalletPages } from './wallet-pages.ts';

export interface CardsPort extends CardTerms {
  readonly entry: CardEntry;
  /** Charges a card, once per reference even if repeated. */
  charge(request: ChargeCard): Promise<CardAnswer>;
  /**
   * Has the issuer of an accepted card confirm it for later charges, and stores it. Charges nothing. Once per reference even
   * if repeated, for as long as an hour.
   */
  verify(request: VerifyCard): Promise<CardVerification>;
  /**
   * A stored card as the provider knows it now: networks and issuers replace cards without the payer.
   * @returns null if the provider does not know it, or cannot say.
   */
  find(token: string): Promise<CardToken | null>;
  /**
   * Erases a stored card for good, with everything that the provider keeps for it: nobody can charge it any more, and
   * its payments can still be refunded. May be repeated; a card that the provider does not know is erased already.
   */
  forget(token: string): Promise<void>;
  /** What the provider keeps of a payment, as the store's account says; absent if it does not say. */
  readonly fees?: CardFees;
  /** Absent if the provider shows its {@link CardTerms.wallets} on any page. */
  readonly walletPages?: WalletPages;
}

export interface CardTerms {
  readonly maxInstallments: number;
  /** How long the provider waits for the payer after REQUIRES_ACTION: for a confirmation, or for a card on its own page. */
  readonly actionTimeoutMs: number;
  /** Whether a charge must name its payer, with CPF or CNPJ; absent if it need not. */
  readonly namesPayer?: boolean;
  /** The wallets through which payers can pay, each a card payment in one installment; absent if there are none. */
  readonly wallets?: readonly CardWallet[];
  /** Whether the provider pays each installment on a day of its own; absent if it pays all of them at once. */
  readonly paysEachInstallment?: boolean;
  /** Which installment has the cents that are left over: the last one if true, otherwise the first. */
  readonly lastInstallmentIsLarger?: boolean;
}

/** How a payer's card becomes a token. */
export type CardEntry = TypedEntry | ProviderFieldsEntry | HostedPageEntry;

/** The payer types the card into Recebe's form. Only for the sandbox: no real card number may reach Recebe (PCI SAQ A). */
export interface TypedEntry {
  readonly kind: 'TYPED';
  /**
   * Exchanges a typed card for a token; null if the provider does not accept the card. Charges nothing.
   * @param wallet the wallet that gave the card; absent if the payer typed it.
   */
  tokenize(card: TypedCard, wallet?: CardWallet | null): Promise<CardToken | null>;
}

/** The payer types the card into the provider's own fields, whose script posts a token to Recebe's form. */
export interface ProviderFieldsEntry {
  readonly kind: 'PROVIDER_FIELDS';
  readonly fields: CardFields;
  /**
   * Looks a token of the payer's browser up at the provider, and never trusts the browser. A token that belongs to
   * another payer is unknown as well. Charges nothing. The card's wallet is as the provider knows it.
   * @returns the card to store; null if the provider does not know the token.
   */
  accept(token: string, request: AcceptCard): Promise<CardToken | null>;
}

/**
 * The payer types the card on the provider's own page, to which {@link CardsPort.charge} leads with REQUIRES_ACTION. No card
 * and no token reaches Recebe, so nothing can be stored: such cards pay no later cycle, and no charge of a saved card.
 */
export interface HostedPageEntry {
  readonly kind: 'HOSTED_PAGE';
}

export interface AcceptCard {
  /** The same key is the same submission of the payer's form. It derives idempotency keys. */
  readonly submissionKey: string;
  readonly payer: ProviderPayment['payer'];
  /** See {@link ChargeCard.keepsCard}. */
  readonly keepsCard: boolean;
  /** Nothing is due now, as when a free trial starts: {@link CardsPort.verify} follows, and no charge at once. */
  readonly isFree: boolean;
}

/** What a page needs to show the provider's fields. Its content security policy allows these origins and no others. */
export interface CardFields {
  /** URL of the provider's script. */
  readonly script: string;
  /** Name of Recebe's own asset that mounts the fields, such as `stripe-fields.js`. */
  readonly ours: string;
  readonly publishableKey: string;
  readonly scriptOrigins: readonly string[];
  readonly frameOrigins: readonly string[];
  readonly connectOrigins: readonly string[];
}

export interface ChargeCard {
  readonly chargeId: ChargeId;
  /** The payment's id from now on. The same reference is the same payment. */
  readonly reference: string;
  /** Null if the payer types the card on the provider's page ({@link HostedPageEntry}), and only then. */
  readonly token: string | null;
  readonly amountCents: number;
  /** The card's issuer divides it, without interest. */
  readonly installmentsCount: number;
  readonly payer: ProviderPayment['payer'];
  /** Where the payer's bank sends the payer back: the payment's page. */
  readonly returnUrl: string;
  /** The payer is not present: a later cycle of a subscription. */
  readonly isOffSession: boolean;
  /** The payer has agreed to later charges, so the card is stored: a subscription, or a checkout with an upsell. */
  readonly keepsCard: boolean;
  readonly now: Date;
}

export interface VerifyCard {
  /** The same reference is the same verification. */
  readonly reference: string;
  /** A token that {@link ProviderFieldsEntry.accept} or {@link TypedEntry.tokenize} returned, to be kept. */
  readonly token: string;
  /** Where the payer's bank sends the payer back. */
  readonly returnUrl: string;
}

/** The issuer's answer. PENDING and REQUIRES_ACTION are not final: the same request, repeated, gets the answer. */
export type CardVerification =
  | { readonly outcome: 'VERIFIED' }
  | { readonly outcome: 'DECLINED'; readonly reason: DeclineReason }
  | { readonly outcome: 'PENDING' }
  /** The payer confirms the card at this URL (3-D Secure), a page to redirect to. */
  | { readonly outcome: 'REQUIRES_ACTION'; readonly url: string };

/**
 * The issuer's answer. An approved payment has also been captured. PENDING and REQUIRES_ACTION are not final: the same
 * request, repeated after the pause, gets the answer.
 */
export type CardAnswer =
  | { readonly outcome: 'APPROVED'; readonly payment: ProviderPayment }
  | {
      readonly outcome: 'DECLINED';
      readonly reason: DeclineReason;
      /** The issuer's or network's own code, for the store; null or absent if unknown. */
      readonly issuerCode?: string | null;
    }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  /**
   * The issuer decides after the payer has acted at this URL: confirmed the payment (3-D Secure), or typed the card
   * ({@link HostedPageEntry}). It is a page to redirect to.
   */
  | { readonly outcome: 'REQUIRES_ACTION'; readonly url: string; readonly pollAfterMs: number };

/** The token of a request to a provider that charges tokens. @throws ProviderError UNSUPPORTED without one. */
export function requireToken({ token }: Pick<ChargeCard, 'token'>): string {
  if (token !== null) return token;
  throw new ProviderError('UNSUPPORTED', 'this provider charges a card only by its token');
}

/** Whether later charges can use a card that its payer has entered once. */
export function keepsCards({ entry }: Pick<CardsPort, 'entry'>): boolean {
  return entry.kind !== 'HOSTED_PAGE';
}
