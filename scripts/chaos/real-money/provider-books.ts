/** A refund as the provider has it. */
export interface BookedRefund {
  /** The id that Recebe gave it; null if somebody else made it. */
  readonly reference: string | null;
  readonly cents: number;
}

/** A chargeback that the issuer has decided, or not yet. */
export interface BookedDispute {
  readonly id: string;
  readonly status: 'OPEN' | 'WON' | 'LOST';
  readonly cents: number;
  /** The provider's fee for it. */
  readonly feeCents: number;
}

/** A payment that a payer has made. */
export interface BookedPayment {
  /** The provider's id, as Recebe stores it. */
  readonly id: string;
  /** The reference of the paid charge at the provider. */
  readonly reference: string;
  readonly cents: number;
  readonly refunds: readonly BookedRefund[];
  readonly dispute: BookedDispute | null;
  /** Whether the provider returns such a payment by its API. */
  readonly isReturnable: boolean;
}

/** Money that was sent. */
export interface BookedTransfer {
  /** The payout's id. */
  readonly reference: string;
  readonly cents: number;
  readonly hasArrived: boolean;
}

/** The state of a provider in a box, in the words of Recebe. */
export interface ProviderBooks {
  readonly payments: readonly BookedPayment[];
  readonly transfers: readonly BookedTransfer[];
  /** References of charges that somebody could still pay. */
  readonly payable: ReadonlySet<string>;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The refunded part of a payment, in cents. */
export function refundedCents({ refunds }: BookedPayment): number {
  return sum(refunds.map(({ cents }) => cents));
}

/** The part of a payment that the store still has, by the provider's state. */
export function keptCents(payment: BookedPayment): number {
  const { dispute } = payment;
  const lost = dispute?.status === 'LOST' ? dispute.cents : 0;
  return payment.cents - refundedCents(payment) - lost - (dispute?.feeCents ?? 0);
}

/** What the provider owes the store. */
export function owedCents({ payments, transfers }: ProviderBooks): number {
  const arrived = transfers.filter(({ hasArrived }) => hasArrived);
  return sum(payments.map(keptCents)) - sum(arrived.map(({ cents }) => cents));
}
