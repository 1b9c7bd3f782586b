import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A request that says to come from a provider. Anybody can send one. */
export interface ReceivedNotification {
  /** As it came, byte by byte: signatures are made over this. */
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** Without the port; of whoever the service's own proxies name. */
  readonly clientAddress: string;
  /**
   * What the other side has shown in TLS, where it proved that it has the key of it; null where it showed none. Anybody may
   * have signed it: whom to trust the adapter knows.
   */
  readonly peerCertificate: X509Certificate | null;
  /** The last part of the path that it was sent to, where the address that was registered has a secret in it. */
  readonly pathSecret: string | null;
}

/**
 * What a notification points at. It proves nothing: `findPayment` and `findDispute` say what is true, of a payment also
 * what became of its refunds.
 */
export type NotificationPointer =
  | {
      readonly kind: 'PAYMENT';
      readonly providerPaymentId: string;
      /** The reference the charge was issued with; null where the notification does not name it. */
      readonly reference: string | null;
      /** Set where the notification says that money of the payment went back. */
      readonly hasRefunds?: true;
    }
  | { readonly kind: 'DISPUTE'; readonly providerDisputeId: string; readonly reference: string | null }
  /** News of a transfer that this account sent: that it ended, or came back. `findTransfer` says what is true. */
  | { readonly kind: 'TRANSFER'; readonly reference: string }
  /** A malformed item: what the provider calls it, or a digest. A person has to look at it. */
  | { readonly kind: 'UNREADABLE'; readonly id: string };

/** How a provider tells of payments by itself. */
export interface ProviderNotifications {
  /** Has the provider send notifications to this address from now on. Registered again it stays as it is. */
  register(url: string): Promise<void>;
  /** Whether it is the provider's own, by what `describe().notifications` names. Compares in constant time. */
  authenticate(notification: ReceivedNotification): boolean;
  /**
   * What it points at, once it is known to be the provider's own; nothing where it tells of nothing we know.
   * A malformed item does not hold up the others: it is named as UNREADABLE.
   * @throws ProviderError INVALID if the notification as a whole cannot be read.
   */
  translate(rawBody: Buffer): readonly NotificationPointer[];
}
