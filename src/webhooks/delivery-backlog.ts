import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryId, WebhookId } from '../domain/ids.ts';

/** The pause of the first delivery that finds its endpoint crowded. Nothing was sent, so this is no attempt. */
const FIRST_PAUSE_MS = 1_000;

/** A recovered endpoint is found within this time, however many deliveries wait. */
const LONGEST_PAUSE_MS = 60_000;

/** How many deliveries return each second, as each costs this worker and its server work. */
const BACK_PER_SECOND = 30;

/** Deliveries remembered. A delivery beyond this limit costs one more query. */
const REMEMBERED = 50_000;

/**
 * Deliveries that found no room. The more of them wait, the longer their pauses, so that thousands cost no more
 * than a few. They wait at the Temporal server and hold no slot.
 */
export class DeliveryBacklog {
  /** Oldest first. */
  readonly #waiting = new Map<DeliveryId, WebhookId>();

  /** The endpoint that a delivery found crowded before; null if it did not. */
  endpointOf(deliveryId: DeliveryId): WebhookId | null {
    return this.#waiting.get(deliveryId) ?? null;
  }

  /**
   * The failure that makes the server retry a delivery. @param atLeastMs the rest of its endpoint's pause, if there
   * is one.
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
