import type { CardToken, DeclineReason, TypedCard } from '../domain/card.ts';
import type { Fine, Interest } from '../domain/charge.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, PaymentId, PayoutId, RefundId } from '../domain/ids.ts';
import type { PixDestination } from '../domain/payout.ts';
import type { DisputeStatus } from '../domain/reversal.ts';
import type { Capabilities } from './capabilities.ts';
import type { ProviderNotifications } from './provider-notifications.ts';

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
  /** Its refunds, no matter who made them; absent if the provider does not report them. */
  readonly refunds?: readonly ProviderRefund[];
  /** Returns that its payer's bank made or tried, oldest first; absent if the provider does not report them. */
  readonly disputes?: readonly ProviderDispute[];
  /** The provider's ids, or digests, of refunds that could not be parsed; absent if there are none. */
  readonly unreadableRefundIds?: readonly string[];
}

/** The parts of a payment: original + interest + fine - discount is its amount, by the provider's rules. */
export interface PaidComponents {
  readonly originalCents: number;
  readonly interestCents: number;
  readonly fineCents: number;
  /** Including abatements. */
  readonly discountCents: number;
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

interface Issue {
  readonly chargeId: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  readonly beneficiary: Beneficiary;
  /** The payer as given for this charge; a boleto requires both fields. */
  readonly payer: ProviderPayment['payer'];
}

export interface IssuePix extends Issue {
  /** An integer; a later payer is refused by their bank. */
  readonly expiresInSeconds: number;
  /** The time of the request, from which the expiry counts. */
  readonly now: Date;
}

/** The provider computes the amount of the day from these terms, and refuses late payments. */
export interface IssueBoleto extends Issue {
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  /** Calendar days after the due date, or after the business day that follows it; 0 if that day is the last. */
  readonly daysPayableAfterDueDate: number;
}

export interface IssuedPix {
  /** The provider's id of the charge; unique per provider. */
  readonly reference: string;
  readonly brCode: string;
  /** When the provider stops accepting payments; null or absent if it does not say. */
  readonly expiresAt?: Date | null;
}

export interface IssuedBoleto extends Omit<IssuedPix, 'expiresAt'> {
  /** The 44 digits of the bar code. */
  readonly barCode: string;
  readonly ourNumber: string;
}

/**
 * The result of issuing a code. PENDING: a repeated request with the same charge gets the answer. REFUSED is final,
 * with the provider's own reason. PAID: an earlier request issued it, and someone has paid it. DEAD: an earlier
 * request issued it, and nobody can pay it any more; another charge has to replace it. A throw means "not known".
 */
export type IssueAnswer<Issued> =
  | { readonly outcome: 'ISSUED'; readonly issued: Issued }
  | { readonly outcome: 'PAID'; readonly issued: Issued; readonly payment: ProviderPayment }
  | { readonly outcome: 'DEAD'; readonly reason: string }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'REFUSED'; readonly reason: string };

/** The input for a code with the amount due today. */
export interface IssueBrCode extends Omit<Issue, 'payer'> {
  readonly reference: string;
}

/** A charge as the provider knows it. A provider without unpaid charges returns OPEN for any reference. */
export interface ProviderCharge {
  readonly status: 'OPEN' | 'PAID' | 'CLOSED';
  /** All its payments, including those after it was closed. */
  readonly payments: readonly ProviderPayment[];
}

/**
 * A charge as its provider stores it: enough to rebuild a row that a restore lost. It lacks what the provider never
 * received: `externalId`, metadata and the customer's record.
 */
export interface RecalledCharge {
  readonly reference: string;
  readonly status: ProviderCharge['status'];
  readonly amountCents: number;
  readonly description: string | null;
  readonly createdAt: Date;
  /** From {@link createdAt} on; afterwards the payer's bank refuses the code. */
  readonly expiresInSeconds: number;
  /** The payer as the merchant named them when the charge was created. */
  readonly payer: ProviderPayment['payer'];
  readonly brCode: string;
  /** The provider's ids of the charge's payments. */
  readonly providerPaymentIds: readonly string[];
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

/** Includes the first instant, excludes the last one. */
export interface TimeWindow {
  readonly from: Date;
  readonly until: Date;
}

/** Selects payments by the time at which they were received. */
export interface ListedTime extends TimeWindow {
  /** Only payments with returns, done or pending. A provider that cannot filter lists all. */
  readonly onlyReversed?: boolean;
}

export interface ProviderPage<Item> {
  readonly items: readonly Item[];
  /** The provider's ids of items that could not be parsed, or digests if they have no id. */
  readonly unreadableIds?: readonly string[];
  /** The cursor of the next page; null if this is the last. */
  readonly nextCursor: string | null;
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
  | { readonly outcome: 'REFUSED'; readonly reason: string };

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

export interface SendPix {
  /** The transfer's id. The same reference is the same transfer. */
  readonly reference: PayoutId;
  readonly amountCents: number;
  /** Null for the store's own account at the provider. */
  readonly destination: PixDestination | null;
  /** As in {@link Refund}. */
  readonly mayHaveBeenOrdered?: boolean;
  readonly now: Date;
}

/** Money of a transfer that its payee, or the payee's bank, returned. */
export interface TransferReturn {
  /** Unique at the provider (for PIX its `rtrId`). */
  readonly providerReturnId: string;
  readonly amountCents: number;
  readonly returnedAt: Date;
}

/** The status of a transfer. While it is PENDING, the same request polls. */
export type TransferAnswer =
  | { readonly outcome: 'PENDING' }
  | {
      readonly outcome: 'COMPLETE';
      readonly endToEndIdentifier: string;
      /** Its returns so far; absent if there are none, or the provider does not report them. */
      readonly returns?: readonly TransferReturn[];
    }
  | { readonly outcome: 'FAILED'; readonly reason: string }
  /**
   * The provider refuses the order and does not know the reference, but an earlier request may have given the
   * order. The same request polls.
   */
  | { readonly outcome: 'REFUSED_IN_DOUBT'; readonly reason: string }
  /** The provider has a transfer with another amount or key under this reference: nothing was sent for this request. */
  | { readonly outcome: 'OTHER_TRANSFER' };

/** The result of looking a transfer up without sending it. */
export type TransferLookUp =
  | TransferAnswer
  /** `isFinal`: nothing was or will be sent. Otherwise the provider's look-up may lag behind an earlier request. */
  | { readonly outcome: 'NOT_FOUND'; readonly isFinal: boolean };

/** A transfer as its provider lists it, no matter who ordered it. */
export interface SentTransfer {
  /** The reference of the order. A transfer that Recebe did not order has the provider's id, or null. */
  readonly reference: string | null;
  readonly endToEndIdentifier: string;
  readonly amountCents: number;
  /** PENDING for statuses that this release does not know. */
  readonly status: 'PENDING' | 'COMPLETE' | 'FAILED';
  /** The payee's PIX key as the provider shows it: tax ids may be masked. Null if it went to no key. */
  readonly payeeKey: string | null;
  /** The txid that reached the payee; null or absent if the provider does not say. */
  readonly payeeTxid?: string | null;
  readonly orderedAt: Date;
  readonly returns: readonly TransferReturn[];
  /** The provider's ids, or digests, of returns that could not be parsed; absent if there are none. */
  readonly unreadableReturnIds?: readonly string[];
}

/** How a transfer ended. */
export type EndedTransfer = Extract<TransferAnswer, { readonly outcome: 'COMPLETE' | 'FAILED' }>;

/**
 * The port to a payment provider. Every call may be repeated with the same input and must then have one effect. Any
 * call may throw, which means "not known", never "no".
 */
export interface PaymentProvider {
  /** The value of a charge's `provider`: the sandbox's name, or the id of the account that issued it. */
  readonly name: string;
  /** Its capabilities. Anything else throws `ProviderError` UNSUPPORTED, see `unsupported`. */
  describe(): Capabilities;
  issuePix(request: IssuePix): Promise<IssueAnswer<IssuedPix>>;
  issueBoleto(request: IssueBoleto): Promise<IssueAnswer<IssuedBoleto>>;
  /** The PIX code of a boleto for the amount due today, which grows once it is late (contract section 4). */
  brCodeFor(request: IssueBrCode): Promise<string>;
  /** Exchanges a typed card for a token; null if the provider does not accept the card. Charges nothing. */
  tokenizeCard(card: TypedCard): Promise<CardToken | null>;
  /** Charges a card, once per reference even if repeated. */
  chargeCard(request: ChargeCard): Promise<CardAnswer>;
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
  /** Payments received within this time, page by page, in a stable order. */
  listPayments(time: ListedTime, cursor: string | null): Promise<ProviderPage<ProviderPayment>>;
  /** References of charges issued within this time, page by page, no matter who requested them. */
  listReferences(time: TimeWindow, cursor: string | null): Promise<ProviderPage<string>>;
  /** The charge with this reference; null if the provider does not know it, or a row cannot be built from it. */
  recall(reference: string, beneficiary: Beneficiary): Promise<RecalledCharge | null>;
  /** The notified dispute, or null if the provider does not know it. */
  findDispute(providerDisputeId: string): Promise<ProviderDispute | null>;
  /** Sends money to a PIX key or to the store's own account, once per reference even if repeated. */
  sendPix(request: SendPix): Promise<TransferAnswer>;
  /** Looks up a transfer that may have been sent under this reference. It sends nothing. */
  findTransfer(transfer: SendPix): Promise<TransferLookUp>;

  /** Transfers ordered within this time, page by page, no matter who ordered them, with their returns so far. */
  listTransfers(time: TimeWindow, cursor: string | null): Promise<ProviderPage<SentTransfer>>;
  /**
   * Permissions that the token lacks for `describe()`, under the provider's names. Empty if none is missing; absent
   * or null if the provider does not report the token's permissions.
   */
  missingPermissions?(): Promise<readonly string[] | null>;
  /** Null if it sends none. */
  readonly notifications: ProviderNotifications | null;
}
