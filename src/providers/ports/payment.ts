import type { PaidComponents } from '../../domain/charge.ts';
import type { PaidPart } from '../../domain/receivable.ts';
import type { ProviderDispute } from './disputes.ts';

/** Money that a provider received for one charge, as the provider reports it. */
export interface ProviderPayment {
  readonly providerPaymentId: string;
  /** The charge's reference. */
  readonly reference: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payer: { readonly name: string | null; readonly taxId: string | null };
  /** The end-to-end id of a PIX; null or absent for other payments. */
  readonly endToEndIdentifier?: string | null;
  /** The metadata of a simulated payment; null from a bank. */
  readonly metadata?: Record<string, unknown> | null;
  /** The parts of the amount as the provider computed them; null or absent if it does not report them. */
  readonly components?: PaidComponents | null;
  /** The card that paid on the provider's own page; null or absent for any other payment. */
  readonly card?: PaidCard | null;
  /**
   * When the provider makes the last of its money available; null or absent if it does not say, and the method's usual time
   * counts.
   */
  readonly settlesAt?: Date | null;
  /**
   * The installments, if the provider pays each on a day of its own and knows all days; their sum is the amount. Absent if it pays
   * everything on one day.
   */
  readonly installments?: readonly PaidPart[];
  /** Its refunds, no matter who made them; absent if the provider does not report them. */
  readonly refunds?: readonly ProviderRefund[];
  /** Returns that its payer's bank made or tried, oldest first; absent if the provider does not report them. */
  readonly disputes?: readonly ProviderDispute[];
  /** The provider's ids, or digests, of refunds that could not be parsed; absent if there are none. */
  readonly unreadableRefundIds?: readonly string[];
}

/** A card as its payer recognizes it. */
export interface PaidCard {
  /** In lower case, such as `visa`. */
  readonly brand: string;
  readonly lastFour: string;
}

/** Money of a payment that was returned, or is being returned, to its payer. */
export interface ProviderRefund {
  /** The `refundReference` of its request, or the provider's id if Recebe did not request it. */
  readonly reference: string;
  readonly amountCents: number;
  readonly status: 'PENDING' | 'RETURNED' | 'REFUSED';
  /**
   * MED: the payer's bank took it back, for fraud, for an operational failure (Bacen, Resolução 103), or for a
   * reason unknown to this release.
   */
  readonly kind: 'ORDINARY' | 'MED_FRAUD' | 'MED_OPERATIONAL' | 'MED_OTHER';
}

/** The payee. */
export interface Beneficiary {
  readonly name: string;
  readonly city: string;
  /** CPF or CNPJ, without punctuation. Required for boletos of real money. */
  readonly taxId: string | null;
}
