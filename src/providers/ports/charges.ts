import type { ChargeId, PaymentId, RefundId } from '../../domain/ids.ts';
import type { ProviderPayment } from './payment.ts';

/** What a provider does with a charge that it issued, whatever its method. Every provider implements it. */
export interface ChargesPort {
  readonly refunds: RefundTerms;
  /** The notified payment, or null if the provider does not know it: a notification alone proves nothing. */
  findPayment(providerPaymentId: string): Promise<ProviderPayment | null>;
  /** Looks a charge up, for example after a time-out; null if the provider does not know it. */
  findByReference(reference: string): Promise<ProviderCharge | null>;
  /** Makes the payer's bank refuse this charge from now on; returns the payment if one came first. */
  close(reference: string): Promise<CloseAnswer>;
  /** Like {@link close}, for whatever was issued for a charge that was never stored here. */
  closeUnstored(chargeId: ChargeId): Promise<CloseAnswer>;
  /** Looks up whatever was issued for a charge that is not stored here. */
  findUnstored(chargeId: ChargeId): Promise<UnstoredCharge>;
  /** Refunds a payment or a part of it, once per `refundReference` even if repeated. */
  refund(request: Refund): Promise<RefundAnswer>;
}

export interface RefundTerms {
  /** Whether it can refund parts, and more than once. */
  readonly partial: boolean;
  /** Whether a refund may be PENDING. */
  readonly asynchronous: boolean;
  /** Days after the payment in which it can be refunded; null for no limit. */
  readonly windowDays: number | null;
}

/** A charge as the provider knows it. A provider without unpaid charges returns OPEN for any reference. */
export interface ProviderCharge {
  readonly status: 'OPEN' | 'PAID' | 'CLOSED';
  /** All its payments, including those after it was closed. */
  readonly payments: readonly ProviderPayment[];
}

/** A charge that is not stored here. GONE: nobody can pay it any more, or it was never issued. */
export type UnstoredCharge =
  | { readonly status: 'OPEN' | 'GONE' }
  | { readonly status: 'PAID'; readonly payments: readonly ProviderPayment[] };

/** The result of closing a charge. PENDING: a later request will show whether it is closed or paid. */
export type CloseAnswer =
  | {
      readonly outcome: 'CLOSED';
      /** Set if the provider had already removed it by itself, or does not know it: nobody could pay it. */
      readonly wasDead?: true;
    }
  | { readonly outcome: 'PAID'; readonly payment: ProviderPayment }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number };

export interface Refund {
  /** The id of a refund, or of a payment that is returned. The same reference is the same refund. */
  readonly refundReference: RefundId | PaymentId;
  readonly providerPaymentId: string;
  /** At most the remaining amount of the payment. */
  readonly amountCents: number;
  /** Whether an earlier request may have reached the provider: a refusal then says nothing about that one. */
  readonly mayHaveBeenOrdered?: boolean;
}

/**
 * The result of a refund request. While it is PENDING, the same request polls. A provider may refuse, like PIX
 * ninety days after the payment (Bacen, Resolução 103). REFUSED is final, and nobody asks again: a temporary
 * failure throws instead.
 */
export type RefundAnswer =
  | { readonly outcome: 'RETURNED' }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | {
      readonly outcome: 'REFUSED';
      readonly reason: string;
      /** Set if the provider can return no such payment, so no earlier request has returned it either. */
      readonly isImpossible?: true;
    };
