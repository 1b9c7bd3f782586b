import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request that claims to come from a provider. Anyone can send one. */
export interface ReceivedNotification {
  /** The unchanged bytes: signatures cover them. */
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Without the port; as reported by the service's own proxies. */
  readonly clientAddress: string;
  /**
   * The client certificate from TLS, with proven possession of its key; null if there was none. Anyone may have
   * signed it: the adapter knows whom to trust.
   */
  readonly peerCertificate: X509Certificate | null;
  /** The last part of the request's path, if the registered address contains a secret. */
  readonly pathSecret: string | null;
}

/**
 * What a notification refers to. It proves nothing: the look-ups return the truth, for a payment
 * including its refunds.
 */
export type NotificationPointer =
  | {
      readonly kind: 'PAYMENT';
      readonly providerPaymentId: string;
      /** The charge's reference; null if the notification does not name it. */
      readonly reference: string | null;
      /** Set if the notification reports returned money of the payment. */
      readonly hasRefunds?: true;
    }
  /** News of a charge that brought no money, such as a declined card. Its run asks the provider now. */
  | { readonly kind: 'CHARGE'; readonly reference: string }
  /** A stored card was replaced or has another expiry. `cards.find` returns the truth. */
  | { readonly kind: 'CARD'; readonly token: string }
  | { readonly kind: 'DISPUTE'; readonly providerDisputeId: string; readonly reference: string | null }
  /** News of a transfer that this account sent: it ended, or came back. `payouts.find` returns the truth. */
  | { readonly kind: 'TRANSFER'; readonly reference: string }
  /** News of a mandate. `mandates.find` returns the truth. */
  | { readonly kind: 'MANDATE'; readonly providerMandateId: string }
  /** News of a debit under a mandate, by the provider's reference. `mandates.findInstruction` returns the truth. */
  | { readonly kind: 'DEBIT'; readonly reference: string }
  /** A malformed item: the provider's id, or a digest. A person has to look at it. */
  | { readonly kind: 'UNREADABLE'; readonly id: string };

/** What a provider has registered. */
export interface Registered {
  /** Secrets of the account that the provider made and the caller stores; empty if there are none. */
  readonly secrets: Readonly<Record<string, string>>;
  /** News that the provider does not send, which Recebe looks up by itself later; empty if it sends all. */
  readonly refused: readonly RefusedNews[];
}

/** News of authorizations or debits by PIX, and why the provider does not send them. */
export interface RefusedNews {
  readonly news: 'MANDATES' | 'DEBITS';
  readonly reason: string;
}

/** A provider's notifications of payments, disputes and transfers. */
export interface NotificationsPort {
  /** How they are authenticated. */
  readonly proof: NotificationProof;
  /** The paths below the registered address to which the provider posts, such as `/pix`; `''` is the address itself. */
  readonly paths: readonly string[];
  /** A notification of nothing. `accounts register` sends it to check that the service serves the address. */
  readonly probe: { readonly path: string; readonly body: string };
  /**
   * Registers this address for notifications. A repeated call has no effect.
   * @throws ProviderError if the provider does not notify of payments there.
   */
  register(url: string): Promise<Registered>;
  /**
   * Has the provider deliver again if it stopped after failures. Absent if it never stops.
   * @returns whether it had stopped.
   */
  resume?(): Promise<boolean>;
  /** Whether the notification is authentic, by {@link proof}. Compares in constant time. */
  authenticate(notification: ReceivedNotification): boolean;
  /**
   * The pointers of an authentic notification; empty if it concerns nothing of Recebe. A malformed item does not
   * block the others: it yields UNREADABLE.
   * @throws ProviderError INVALID if the notification as a whole cannot be parsed.
   */
  translate(rawBody: Buffer): readonly NotificationPointer[];
}

export type NotificationProof = 'mtls' | 'hmac' | 'token';
