import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryId, WebhookId } from '../../src/domain/ids.ts';

/** How soon the first one that found its endpoint crowded comes back; nothing was sent, so it is no attempt. */
const FIRST_PAUSE_MS = 1_000;

/** However many wait, an endpoint that is well again is found out within this. */
const LONGEST_PAUSE_MS = 60_000;

/** So many come back each second, as each costs this worker and its server something. */
const BACK_PER_SECOND = 30;

/** Deliveries remembered; one that is forgotten asks Postgres once more. */
const REMEMBERED = 50_000;

/**
 * Deliveries that found no room, until they come back: the more of them wait the later, so that thousands cost
 * as little as some. They wait at the server, and in no slot.
 */
export class DeliveryBacklog {
  /** Oldest first. */
  readonly #waiting = new Map<DeliveryId, WebhookId>();

  /** The endpoint that a delivery found crowded before; null where it did not. */
  endpointOf(deliveryId: DeliveryId): WebhookId | null {
    return this.#waiting.get(deliveryId) ?? null;
  }

  /**
   * The failure that brings a delivery back. @param atLeastMs where its endpoint is paused: until it is not.
   */
  leaveFor(deliveryId: DeliveryId, webhookId: WebhookId, atLeastMs = 0): ApplicationFailure {
    this.left(deliveryId);
    this.#waiting.set(deliveryId, webhookId);
    this.#forgetOldest();
    const spreadMs = FIRST_PAUSE_MS + (1_000 * this.#waiting.size) / BACK_PER_SECOND;
    return ApplicationFailure.create({
      message:
        atLeastMs > 0 ? 'The endpoint does not answer' : 'The endpoint holds its full share of connections',
      type: 'EndpointBusy',
      nextRetryDelay: Math.round(
        atLeastMs + Math.min(spreadMs, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2),
      ),
    });
  }

  /** A delivery has found room, or has ended. */
  left(deliveryId: DeliveryId): void {
    this.#waiting.delete(deliveryId);
  }

  #forgetOldest(): void {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > REMEMBERED && oldest !== undefined) this.left(oldest);
  }
}
