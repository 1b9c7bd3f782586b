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

/** A delivery that has not returned this long after its pause is at another worker, or has ended. */
const FORGOTTEN_AFTER_MS = 10_000;

/** What is known of an endpoint without room. */
export interface CrowdedEndpoint {
  /** How often one of its attempts ends, which makes room for another. */
  readonly roomEveryMs: number;
  /** The rest of its pause; 0 if it is not paused. */
  readonly pausedForMs: number;
}

interface Waiting {
  readonly webhookId: WebhookId;
  /** When the delivery is forgotten; in milliseconds of `nowMs`. */
  readonly untilMs: number;
}

/**
 * Deliveries that found no room. The more of them wait, the longer their pauses, so that thousands cost no more
 * than a few. They wait at the Temporal server and hold no slot.
 */
export class DeliveryBacklog {
  readonly #nowMs: () => number;
  /** Oldest first. */
  readonly #waiting = new Map<DeliveryId, Waiting>();
  readonly #waitingFor = new Map<WebhookId, number>();

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The endpoint that a delivery found crowded before; null if it did not. */
  endpointOf(deliveryId: DeliveryId): WebhookId | null {
    return this.#waiting.get(deliveryId)?.webhookId ?? null;
  }

  /** The failure that makes the server retry a delivery after its pause. @see pauseMs */
  leaveFor(deliveryId: DeliveryId, webhookId: WebhookId, endpoint: CrowdedEndpoint): ApplicationFailure {
    return ApplicationFailure.create({
      message:
        endpoint.pausedForMs > 0
          ? 'The endpoint does not answer'
          : 'The endpoint holds its full share of connections',
      type: 'EndpointBusy',
      nextRetryDelay: this.pauseMs(deliveryId, webhookId, endpoint),
    });
  }

  /**
   * Lets a delivery wait until its endpoint is likely to have room: a return before that costs work and gains nothing.
   * @returns its pause, in milliseconds.
   */
  pauseMs(
    deliveryId: DeliveryId,
    webhookId: WebhookId,
    { roomEveryMs, pausedForMs }: CrowdedEndpoint,
  ): number {
    this.left(deliveryId);
    this.#forgetOldest();
    const ofAllMs = FIRST_PAUSE_MS + (1_000 * this.#waiting.size) / BACK_PER_SECOND;
    const ofOneMs = roomEveryMs * (this.#waitingFor.get(webhookId) ?? 0);
    const spreadMs = Math.min(Math.max(ofAllMs, ofOneMs), LONGEST_PAUSE_MS);
    const pauseMs = Math.round(pausedForMs + spreadMs * (0.5 + Math.random() / 2));
    this.#waiting.set(deliveryId, { webhookId, untilMs: this.#nowMs() + pauseMs + FORGOTTEN_AFTER_MS });
    this.#waitingFor.set(webhookId, (this.#waitingFor.get(webhookId) ?? 0) + 1);
    return pauseMs;
  }

  /** A delivery has found room, or has ended. */
  left(deliveryId: DeliveryId): void {
    const waiting = this.#waiting.get(deliveryId);
    if (waiting === undefined) return;
    this.#waiting.delete(deliveryId);
    const others = (this.#waitingFor.get(waiting.webhookId) ?? 1) - 1;
    if (others === 0) this.#waitingFor.delete(waiting.webhookId);
    else this.#waitingFor.set(waiting.webhookId, others);
  }

  #forgetOldest(): void {
    const nowMs = this.#nowMs();
    for (const [deliveryId, { untilMs }] of this.#waiting) {
      if (this.#waiting.size <= REMEMBERED && untilMs > nowMs) return;
      this.left(deliveryId);
    }
  }
}
