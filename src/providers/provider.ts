import type { CardToken, DeclineReason, TypedCard } from '../domain/card.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, PayoutId } from '../domain/ids.ts';
import type { PixDestination } from '../domain/payout.ts';
import type { DisputeStatus } from '../domain/reversal.ts';

/** Money that reached a provider for one charge, as the provider tells it. */
export interface ProviderPayment {
  readonly providerPaymentId: string;
  /** The reference the charge was issued with. */
  readonly reference: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payer: { readonly name: string | null; readonly taxId: string | null };
  /** What Bacen's system knows a PIX by; null, or left out, where it was none. */
  readonly endToEndIdentifier?: string | null;
  /** What the payment was told with, by whoever simulated it; null from a bank. */
  readonly metadata?: Record<string, unknown> | null;
}

/** Who is paid. */
export interface Beneficiary {
  readonly name: string;
  readonly city: string;
  /** CPF or CNPJ, bare. A boleto of real money is not issued without. */
  readonly taxId: string | null;
}

export interface IssuePix {
  readonly chargeId: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  readonly beneficiary: Beneficiary;
}

export interface IssueBoleto extends IssuePix {
  readonly dueDate: CivilDate;
}

export interface IssuedPix {
  /** What the payment rail knows the charge by; unique per provider. */
  readonly reference: string;
  readonly brCode: string;
}

export interface IssuedBoleto extends IssuedPix {
  /** The 44 digits of the bar code. */
  readonly barCode: string;
  readonly ourNumber: string;
}

export interface ChargeCard {
  readonly chargeId: ChargeId;
  /** What the payment is known by from now on. The same reference twice is one payment. */
  readonly reference: string;
  readonly token: string;
  readonly amountCents: number;
  /** Divided by the card's issuer, without interest. */
  readonly installmentsCount: number;
  readonly payer: ProviderPayment['payer'];
  readonly now: Date;
}

/** What the card's issuer said. A payment that was approved has been captured too. */
export type CardAnswer =
  | { readonly outcome: 'APPROVED'; readonly payment: ProviderPayment }
  | { readonly outcome: 'DECLINED'; readonly reason: DeclineReason };

/**
 * What came of sending a payment back. A rail may refuse, as PIX does ninety days after the payment (Bacen,
 * Resolução 103). REFUSED is final, and nobody asks again: what may work later throws instead.
 */
export type ReturnAnswer = { readonly outcome: 'RETURNED' } | { readonly outcome: 'REFUSED' };

/** A dispute as the provider tells it now. */
export interface ProviderDispute {
  readonly providerDisputeId: string;
  /** The reference of the charge whose payment is questioned. */
  readonly reference: string;
  readonly status: DisputeStatus;
  readonly reason: string | null;
}

export interface SendPix {
  /** What the transfer is known by. The same reference twice is one transfer. */
  readonly reference: PayoutId;
  readonly amountCents: number;
  /** Null for the account that the provider knows as the store's own. */
  readonly destination: PixDestination | null;
  readonly now: Date;
}

/** What has become of money that was sent. While it is PENDING the same request, made again, asks. */
export type TransferAnswer =
  | { readonly outcome: 'PENDING' }
  | { readonly outcome: 'COMPLETE'; readonly endToEndIdentifier: string }
  | { readonly outcome: 'FAILED'; readonly reason: string };

/** Who stands behind a rail's boletos, as a boleto prints it (Febraban, ficha de compensação). */
export interface BoletoIssuer {
  readonly bankName: string;
  /** Agency and account of the beneficiary, as the bank writes them. */
  readonly agencyAndAccount: string;
  /** The bank's code for the kind of collection ("carteira"). */
  readonly wallet: string;
}

/**
 * The port to a payment rail. Every call may be made twice with the same input and must then have one effect;
 * any call may throw, which the caller treats as "not known", never as "no".
 */
export interface PaymentProvider {
  readonly name: string;
  readonly boletoIssuer: BoletoIssuer;
  issuePix(request: IssuePix): Promise<IssuedPix>;
  issueBoleto(request: IssueBoleto): Promise<IssuedBoleto>;
  /** The PIX code of a boleto for the amount due today, which grows once it is late (contract section 4). */
  brCodeFor(request: IssuePix & { readonly reference: string }): Promise<string>;
  /** Trades a typed card for a token; null where the provider takes no such card. Nothing is charged yet. */
  tokenizeCard(card: TypedCard): Promise<CardToken | null>;
  /** Charges a card, once per reference however often it is asked. */
  chargeCard(request: ChargeCard): Promise<CardAnswer>;
  /**
   * The payment a notification spoke of, or null where the provider knows none: a notification alone proves
   * nothing.
   */
  findPayment(providerPaymentId: string): Promise<ProviderPayment | null>;
  /** From now on the payer's bank refuses this charge; the payment instead, if one was made first. */
  close(reference: string): Promise<ProviderPayment | null>;
  /** Sends a payment back to its payer in full. */
  returnPayment(providerPaymentId: string): Promise<ReturnAnswer>;
  /** The dispute a notification spoke of, or null where the provider knows none. */
  findDispute(providerDisputeId: string): Promise<ProviderDispute | null>;
  /** Sends money to a PIX key or to the store's own account, once per reference however often it is asked. */
  sendPix(request: SendPix): Promise<TransferAnswer>;
}

/**
 * The provider of each environment; a production key without one gets the contract's clear error (section 8).
 */
export interface Providers {
  readonly development: PaymentProvider;
  readonly production: PaymentProvider | null;
}

/** @returns the provider of the environment that `devMode` names, or null where none is configured. */
export function providerOf(providers: Providers, devMode: boolean): PaymentProvider | null {
  return devMode ? providers.development : providers.production;
}
