import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryId, StoreId, WebhookId } from '../domain/ids.ts';
import { Tally } from '../domain/tally.ts';

/** The pause of the first delivery that finds its endpoint crowded. Nothing was sent, so this is no attempt. */
const FIRST_PAUSE_MS = 1_000;

/** A recovered endpoint is found within this time, however many deliveries wait. */
const LONGEST_PAUSE_MS = 60_000;

/** How many deliveries of all stores return each second, as each costs this worker and its server work. */
const BACK_PER_SECOND = 30;

/** Deliveries remembered. A delivery beyond this limit costs one more query. */
const REMEMBERED = 50_000;

/** A delivery that has not returned this long after its pause is at another worker, or has ended. */
const FORGOTTEN_AFTER_MS = 10_000;

const FORGETS_EVERY_MS = 1_000;

/** What is known of an endpoint without room. */
export interface CrowdedEndpoint {
  /** How often one of its attempts ends, which makes room for another. */
  readonly roomEveryMs: number;
  /** The rest of its pause; 0 if it is not paused. */
  readonly pausedForMs: number;
}

/** A delivery that finds no room. */
export interface CrowdedDelivery {
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  readonly storeId: StoreId;
}

interface Waiting extends CrowdedDelivery {
  /** When the delivery is forgotten; in milliseconds of `nowMs`. */
  readonly untilMs: number;
}

/**
 * Deliveries that found no room. The more of them wait, the longer their pauses, so that thousands cost no more
 * than a few. Each store that has any gets an equal part of the returns, so that the thousands of one do not delay the few of
 * another. They wait at the Temporal server and hold no slot.
 */
export class DeliveryBacklog {
  readonly #nowMs: () => number;
  /** Oldest first. */
  readonly #waiting = new Map<DeliveryId, Waiting>();
  readonly #waitingFor = new Tally<WebhookId>();
  readonly #waitingOf = new Tally<StoreId>();
  #forgetsAtMs = 0;

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** What a delivery found crowded before; null if it did not. */
  crowdedBefore(deliveryId: DeliveryId): CrowdedDelivery | null {
    return this.#waiting.get(deliveryId) ?? null;
  }

  /** The failure that makes the server retry a delivery after its pause. @see pauseMs */
  leaveFor(delivery: CrowdedDelivery, endpoint: CrowdedEndpoint): ApplicationFailure {
    return ApplicationFailure.create({
      message:
        endpoint.pausedForMs > 0
          ? 'The endpoint does not answer'
          : 'The endpoint holds its full share of connections',
      type: 'EndpointBusy',
      nextRetryDelay: this.pauseMs(delivery, endpoint),
    });
  }

  /**
   * Lets a delivery wait until its endpoint is likely to have room: a return before that costs work and gains nothing.
   * @returns its pause, in milliseconds.
   */
  pauseMs(
    { deliveryId, webhookId, storeId }: CrowdedDelivery,
    { roomEveryMs, pausedForMs }: CrowdedEndpoint,
  ): number {
    this.left(deliveryId);
    this.#forgetOldest();
    this.#waitingFor.add(webhookId);
    this.#waitingOf.add(storeId);
    const backPerSecond = BACK_PER_SECOND / this.#waitingOf.size;
    const ofStoreMs = FIRST_PAUSE_MS + (1_000 * (this.#waitingOf.of(storeId) - 1)) / backPerSecond;
    const ofOneMs = roomEveryMs * (this.#waitingFor.of(webhookId) - 1);
    const spreadMs = Math.min(Math.max(ofStoreMs, ofOneMs), LONGEST_PAUSE_MS);
    const pauseMs = Math.round(pausedForMs + spreadMs * (0.5 + Math.random() / 2));
    const untilMs = this.#nowMs() + pauseMs + FORGOTTEN_AFTER_MS;
    this.#waiting.set(deliveryId, { deliveryId, webhookId, storeId, untilMs });
    return pauseMs;
  }

  /** A delivery has found room, or has ended. */
  left(deliveryId: DeliveryId): void {
    const waiting = this.#waiting.get(deliveryId);
    if (waiting === undefined) return;
    this.#waiting.delete(deliveryId);
    this.#waitingFor.remove(waiting.webhookId);
    this.#waitingOf.remove(waiting.storeId);
  }

  #forgetOldest(): void {
    this.#forgetThoseThatAreOver();
    for (const deliveryId of this.#waiting.keys()) {
      if (this.#waiting.size <= REMEMBERED) return;
      this.left(deliveryId);
    }
  }

  /** Now and then looks at all, because a delivery to a paused endpoint is remembered longer than those after it. */
  #forgetThoseThatAreOver(): void {
    const nowMs = this.#nowMs();
    if (nowMs < this.#forgetsAtMs) return;
    this.#forgetsAtMs = nowMs + FORGETS_EVERY_MS;
    for (const [deliveryId, { untilMs }] of this.#waiting) if (untilMs <= nowMs) this.left(deliveryId);
  }
}
