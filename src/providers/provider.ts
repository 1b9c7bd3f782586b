import type { CardToken, DeclineReason, TypedCard } from '../domain/card.ts';
import type { Fine, Interest } from '../domain/charge.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, PaymentId, PayoutId, RefundId } from '../domain/ids.ts';
import type { PixDestination } from '../domain/payout.ts';
import type { DisputeStatus } from '../domain/reversal.ts';
import type { Capabilities } from './capabilities.ts';
import type { ProviderNotifications } from './provider-notifications.ts';

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
  /** What the amount is made of, as the rail computed it; null, or left out, where it does not say. */
  readonly components?: PaidComponents | null;
  /** What was sent back of it, by whoever; left out where the rail does not say. */
  readonly refunds?: readonly ProviderRefund[];
  /** What its payer's bank takes back or has tried to, oldest first; left out where the rail does not say. */
  readonly disputes?: readonly ProviderDispute[];
  /** Of what was sent back of it, what could not be read: the rail's ids, or digests; left out if there is none. */
  readonly unreadableRefundIds?: readonly string[];
}

/** What a payment is made of: original + interest + fine - discount is its amount, by the rail's own rules. */
export interface PaidComponents {
  readonly originalCents: number;
  readonly interestCents: number;
  readonly fineCents: number;
  /** Abatements too. */
  readonly discountCents: number;
}

/** Money of a payment that went back to its payer, or is on its way. */
export interface ProviderRefund {
  /** The `refundReference` it was asked for with, or what the rail knows one by that was not asked for here. */
  readonly reference: string;
  readonly amountCents: number;
  readonly status: 'PENDING' | 'RETURNED' | 'REFUSED';
  /**
   * MED: the payer's bank took it back, for fraud or for an operational failure (Bacen, Resolução 103), or for a reason
   * that this release does not know.
   */
  readonly kind: 'ORDINARY' | 'MED_FRAUD' | 'MED_OPERATIONAL' | 'MED_OTHER';
}

/** Who is paid. */
export interface Beneficiary {
  readonly name: string;
  readonly city: string;
  /** CPF or CNPJ, bare. A boleto of real money is not issued without. */
  readonly taxId: string | null;
}

interface Issue {
  readonly chargeId: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  readonly beneficiary: Beneficiary;
  /** As was said for this charge; a boleto has both. */
  readonly payer: ProviderPayment['payer'];
}

export interface IssuePix extends Issue {
  /** A whole number; whoever pays later is refused by their bank. */
  readonly expiresInSeconds: number;
  /** When it is asked for, which the time to pay is counted from. */
  readonly now: Date;
}

/** The rail computes the amount of the day from these terms, and refuses what comes too late. */
export interface IssueBoleto extends Issue {
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  /** Calendar days after the due date, or after the business day that follows it; 0 where it ends with that. */
  readonly daysPayableAfterDueDate: number;
}

export interface IssuedPix {
  /** What the payment rail knows the charge by; unique per provider. */
  readonly reference: string;
  readonly brCode: string;
  /** From when on the rail takes no payment of it; null, or left out, if the rail does not say. */
  readonly expiresAt?: Date | null;
}

export interface IssuedBoleto extends Omit<IssuedPix, 'expiresAt'> {
  /** The 44 digits of the bar code. */
  readonly barCode: string;
  readonly ourNumber: string;
}

/**
 * What came of asking for a code. PENDING: asked again with the same charge, the rail will know. REFUSED is final, and
 * the reason is the rail's, in its words. PAID: an earlier request had it issued, and somebody has paid it. DEAD: an earlier
 * request had it issued, and nobody can pay it any more; another charge has to take its place. A throw is "not known".
 */
export type IssueAnswer<Issued> =
  | { readonly outcome: 'ISSUED'; readonly issued: Issued }
  | { readonly outcome: 'PAID'; readonly issued: Issued; readonly payment: ProviderPayment }
  | { readonly outcome: 'DEAD'; readonly reason: string }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'REFUSED'; readonly reason: string };

/** What the amount due today is asked with. */
export interface IssueBrCode extends Omit<Issue, 'payer'> {
  readonly reference: string;
}

/** A charge as the rail knows it. A rail that keeps nothing before money comes says OPEN of any reference. */
export interface ProviderCharge {
  readonly status: 'OPEN' | 'PAID' | 'CLOSED';
  /** All that has come for it, also after it was closed. */
  readonly payments: readonly ProviderPayment[];
}

/**
 * A charge as its rail remembers it: enough to rebuild a row that a restore lost. It lacks what the rail was never told:
 * `externalId`, metadata and the customer's record.
 */
export interface RecalledCharge {
  readonly reference: string;
  readonly status: ProviderCharge['status'];
  readonly amountCents: number;
  readonly description: string | null;
  readonly createdAt: Date;
  /** From {@link createdAt} on; the payer's bank refuses the code afterwards. */
  readonly expiresInSeconds: number;
  /** As the merchant named the payer when the charge was created. */
  readonly payer: ProviderPayment['payer'];
  readonly brCode: string;
  /** What the rail knows the charge's payments by. */
  readonly providerPaymentIds: readonly string[];
}

/** A charge that is not stored here. GONE: nobody can pay it any more, or nothing was issued. */
export type UnstoredCharge =
  | { readonly status: 'OPEN' | 'GONE' }
  | { readonly status: 'PAID'; readonly payments: readonly ProviderPayment[] };

/** What came of closing a charge. PENDING: whether it is closed or paid is known later, when asked again. */
export type CloseAnswer =
  | {
      readonly outcome: 'CLOSED';
      /** Set if the rail had removed it by itself before, or does not know it: nobody could pay it. */
      readonly wasDead?: true;
    }
  | { readonly outcome: 'PAID'; readonly payment: ProviderPayment }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number };

/** From the first instant, and before the last one. */
export interface TimeWindow {
  readonly from: Date;
  readonly until: Date;
}

/** Which payments are listed: those that came in within a time. */
export interface ListedTime extends TimeWindow {
  /** Of these only such as something has gone back of, or is about to. A rail that cannot tell them apart lists all. */
  readonly onlyReversed?: boolean;
}

export interface ProviderPage<Item> {
  readonly items: readonly Item[];
  /** Of items that could not be read, what their provider calls them, or a digest of one without an id. */
  readonly unreadableIds?: readonly string[];
  /** What the next page is asked for with; null where this is the last. */
  readonly nextCursor: string | null;
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

export interface Refund {
  /** What it is known by: a refund's id, or that of a payment which goes back. Twice the same is one. */
  readonly refundReference: RefundId | PaymentId;
  readonly providerPaymentId: string;
  /** At most what the payment has left. */
  readonly amountCents: number;
  /** Whether an earlier request for it may have reached the rail: a refusal then says nothing of that one. */
  readonly mayHaveBeenOrdered?: boolean;
}

/**
 * What came of sending money back. While it is PENDING the same request, made again, asks. A rail may refuse, as PIX does
 * ninety days after the payment (Bacen, Resolução 103). REFUSED is final, and nobody asks again: what may work later
 * throws instead.
 */
export type RefundAnswer =
  | { readonly outcome: 'RETURNED' }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'REFUSED'; readonly reason: string };

/** A dispute as the provider tells it now. */
export interface ProviderDispute {
  readonly providerDisputeId: string;
  /** The reference of the charge whose payment is questioned. */
  readonly reference: string;
  /** Which payment of the charge it is; null, or left out, for the one that was accepted. */
  readonly providerPaymentId?: string | null;
  /** What is questioned of the payment; null, or left out, for all that it has left. */
  readonly amountCents?: number | null;
  readonly status: DisputeStatus;
  readonly reason: string | null;
}

export interface SendPix {
  /** What the transfer is known by. The same reference twice is one transfer. */
  readonly reference: PayoutId;
  readonly amountCents: number;
  /** Null for the account that the provider knows as the store's own. */
  readonly destination: PixDestination | null;
  /** As of {@link Refund}. */
  readonly mayHaveBeenOrdered?: boolean;
  readonly now: Date;
}

/** Money of a transfer that its payee, or the payee's bank, sent back. */
export interface TransferReturn {
  /** Unique at the rail (of a PIX its `rtrId`). */
  readonly providerReturnId: string;
  readonly amountCents: number;
  readonly returnedAt: Date;
}

/** What has become of money that was sent. While it is PENDING the same request, made again, asks. */
export type TransferAnswer =
  | { readonly outcome: 'PENDING' }
  | {
      readonly outcome: 'COMPLETE';
      readonly endToEndIdentifier: string;
      /** What came back of it since; left out if nothing did, or the rail does not say. */
      readonly returns?: readonly TransferReturn[];
    }
  | { readonly outcome: 'FAILED'; readonly reason: string }
  /**
   * The rail refuses the order and knows no transfer under the reference, and an earlier request may have given the order.
   * The same request, made again, asks.
   */
  | { readonly outcome: 'REFUSED_IN_DOUBT'; readonly reason: string }
  /** The rail has a transfer of another amount or to another key under this reference: nothing was sent for this request. */
  | { readonly outcome: 'OTHER_TRANSFER' };

/** What a rail knows of a transfer without being asked to send it. */
export type TransferLookUp =
  | TransferAnswer
  /** `isFinal`: nothing was sent, and nothing is. Otherwise the rail's look-up may lag behind an earlier request. */
  | { readonly outcome: 'NOT_FOUND'; readonly isFinal: boolean };

/** A transfer as its rail lists it, whoever ordered it. */
export interface SentTransfer {
  /** The reference of the order. A transfer that was not ordered here has what the rail calls it, or null. */
  readonly reference: string | null;
  readonly endToEndIdentifier: string;
  readonly amountCents: number;
  /** PENDING for statuses that this release does not know. */
  readonly status: 'PENDING' | 'COMPLETE' | 'FAILED';
  /** The PIX key of the payee as the rail shows it: tax ids may be masked. Null if it went to no key. */
  readonly payeeKey: string | null;
  /** The txid that it carried to the payee; null, or left out, if the rail does not say. */
  readonly payeeTxid?: string | null;
  readonly orderedAt: Date;
  readonly returns: readonly TransferReturn[];
  /** The rail's ids, or digests, of returns that could not be read; left out if there is none. */
  readonly unreadableReturnIds?: readonly string[];
}

/** How a transfer ended. */
export type EndedTransfer = Extract<TransferAnswer, { readonly outcome: 'COMPLETE' | 'FAILED' }>;

/**
 * The port to a payment rail. Every call may be made twice with the same input and must then have one effect;
 * any call may throw, which the caller treats as "not known", never as "no".
 */
export interface PaymentProvider {
  /** What stands in a charge's `provider`: the sandbox's, else the id of the account that issued it. */
  readonly name: string;
  /** What can be asked of it. All else throws `ProviderError` UNSUPPORTED, see `unsupported`. */
  describe(): Capabilities;
  issuePix(request: IssuePix): Promise<IssueAnswer<IssuedPix>>;
  issueBoleto(request: IssueBoleto): Promise<IssueAnswer<IssuedBoleto>>;
  /** The PIX code of a boleto for the amount due today, which grows once it is late (contract section 4). */
  brCodeFor(request: IssueBrCode): Promise<string>;
  /** Trades a typed card for a token; null where the provider takes no such card. Nothing is charged yet. */
  tokenizeCard(card: TypedCard): Promise<CardToken | null>;
  /** Charges a card, once per reference however often it is asked. */
  chargeCard(request: ChargeCard): Promise<CardAnswer>;
  /**
   * The payment a notification spoke of, or null where the provider knows none: a notification alone proves
   * nothing.
   */
  findPayment(providerPaymentId: string): Promise<ProviderPayment | null>;
  /** What became of a charge that was asked for, as after a time-out; null where the rail knows no such charge. */
  findByReference(reference: string): Promise<ProviderCharge | null>;
  /** From now on the payer's bank refuses this charge; the payment instead, if one was made first. */
  close(reference: string): Promise<CloseAnswer>;
  /** The same for whatever was issued of a charge that was never stored here, where anything was. */
  closeUnstored(chargeId: ChargeId): Promise<CloseAnswer>;
  /** What has become of whatever was issued of a charge that is not stored here. */
  findUnstored(chargeId: ChargeId): Promise<UnstoredCharge>;
  /** Sends a payment, or a part of it, back to its payer, once per `refundReference` however often it is asked. */
  refund(request: Refund): Promise<RefundAnswer>;
  /** Payments that came in this time, page by page, in an order that stays. */
  listPayments(time: ListedTime, cursor: string | null): Promise<ProviderPage<ProviderPayment>>;
  /** References of charges that were issued in this time, page by page, whoever asked for them. */
  listReferences(time: TimeWindow, cursor: string | null): Promise<ProviderPage<string>>;
  /** The charge with this reference; null where the rail knows none, or none that a row could be built from. */
  recall(reference: string, beneficiary: Beneficiary): Promise<RecalledCharge | null>;
  /** The dispute a notification spoke of, or null where the provider knows none. */
  findDispute(providerDisputeId: string): Promise<ProviderDispute | null>;
  /** Sends money to a PIX key or to the store's own account, once per reference however often it is asked. */
  sendPix(request: SendPix): Promise<TransferAnswer>;
  /** What became of a transfer that may have been sent under this reference. It sends nothing. */
  findTransfer(transfer: SendPix): Promise<TransferLookUp>;

  /** Transfers that were ordered in this time, page by page, whoever ordered them, with what came back since. */
  listTransfers(time: TimeWindow, cursor: string | null): Promise<ProviderPage<SentTransfer>>;
  /**
   * Permissions that the rail's token lacks for what `describe()` says, as the rail names them. Empty if nothing is missing;
   * left out, or null, if the rail does not say what its token is good for.
   */
  missingPermissions?(): Promise<readonly string[] | null>;
  /** Null where it sends none. */
  readonly notifications: ProviderNotifications | null;
}
