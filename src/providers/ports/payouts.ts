import type { PayoutId } from '../../domain/ids.ts';
import type { PixDestination } from '../../domain/payout.ts';
import type { ProviderPage, TimeWindow } from './pages.ts';

/** Money that leaves the store's account. */
export interface PayoutsPort extends PayoutTerms {
  /** Sends money to a PIX key or to the store's own account, once per reference even if repeated. */
  send(request: SendPix): Promise<TransferAnswer>;
  /** Looks up a transfer that may have been sent under this reference. It sends nothing. */
  find(transfer: SendPix): Promise<TransferLookUp>;
  /**
   * Transfers ordered within this time, page by page, no matter who ordered them, with their returns so far. Absent
   * if the provider lists none.
   */
  list?(time: TimeWindow, cursor: string | null): Promise<ProviderPage<SentTransfer>>;
}

/** Where money can be sent: to any PIX key, or to the store's own account at the provider. */
export interface PayoutTerms {
  readonly pixKey: boolean;
  readonly ownAccount: boolean;
  /** Whether a transfer to a BR Code carries the code's txid to the payee. */
  readonly txid: boolean;
}

export interface SendPix {
  /** The transfer's id. The same reference is the same transfer. */
  readonly reference: PayoutId;
  readonly amountCents: number;
  /** Null for the store's own account at the provider. */
  readonly destination: PixDestination | null;
  /** Whether an earlier request may have reached the provider: a refusal then says nothing about that one. */
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
