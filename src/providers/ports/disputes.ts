import type { DisputeStage, DisputeStatus } from '../../domain/reversal.ts';

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
  /** Until when evidence is accepted; null or absent if the provider does not say. */
  readonly respondBy?: Date | null;
  /** Null or absent after the decision, or if the provider does not say. */
  readonly stage?: DisputeStage | null;
  /** Whether evidence was submitted, through Recebe or not; absent if the provider does not say. */
  readonly hasEvidence?: boolean;
  /**
   * What the provider has taken for the dispute and returned so far; absent if it does not report that. Then it is taken
   * to be {@link amountCents}, until the dispute is WON.
   */
  readonly withdrawals?: readonly ProviderWithdrawal[];
  /** The provider's own fees for the dispute so far; absent if it does not report them. */
  readonly fees?: readonly ProviderDisputeFee[];
}

/** Money that a provider took for a dispute, or returned, without its fee. */
export interface ProviderWithdrawal {
  readonly providerTransactionId: string;
  /** Cents that were taken; negative if they were returned, never 0. */
  readonly withdrawnCents: number;
}

/** A fee that a provider charged for a dispute, or returned. */
export interface ProviderDisputeFee {
  readonly providerFeeId: string;
  /** Cents that were charged; negative if they were returned, never 0. */
  readonly chargedCents: number;
}
