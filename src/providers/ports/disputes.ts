import type { DisputeStatus } from '../../domain/reversal.ts';

/** Disputes that payers' banks or card issuers open. */
export interface DisputesPort {
  /** The notified dispute, or null if the provider does not know it. */
  find(providerDisputeId: string): Promise<ProviderDispute | null>;
}

/** A dispute as the provider reports it now. */
export interface ProviderDispute {
  readonly providerDisputeId: string;
  /** The reference of the charge whose payment is disputed. */
  readonly reference: string;
  /** The disputed payment; null or absent for the accepted one. */
  readonly providerPaymentId?: string | null;
  /** The disputed amount; null or absent for everything that is left of the payment. */
  readonly amountCents?: number | null;
  readonly status: DisputeStatus;
  readonly reason: string | null;
}
