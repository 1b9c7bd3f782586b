import type { StoreId, WebhookId } from '../domain/ids.ts';
import { Tally } from '../domain/tally.ts';
import type { PostResult } from '../outbound/post-result.ts';

export type DeliveryQueue = 'fast' | 'open';

/**
 * An endpoint is fast while it answers within this time. It is far below the 10 s of a workflow task, in which fast
 * attempts run.
 */
const FAST_ANSWER_MS = 1_000;

/** Simultaneous attempts of a worker, per endpoint and in total. */
interface Room {
  readonly ofOne: number;
  /** The most for all endpoints of one store, which may have many: others find room however slow all of them are. */
  readonly ofStore: number;
  /** The most for all stores that hold more than a few. */
  readonly ofAll: number;
  /**
   * The most for all stores: the rest is for those that hold few, so that several stores with slow endpoints leave room, too. Less than
   * the worker's slots (src/run/worker.ts), so that other work finds a free one.
   */
  readonly withReserve: number;
}

/**
 * If its endpoint hangs, a fast attempt holds one of 200 task slots for 30 seconds, and an open one holds one of
 * 400 activity slots.
 */
const ROOM: Readonly<Record<DeliveryQueue, Room>> = {
  fast: { ofOne: 32, ofStore: 80, ofAll: 120, withReserve: 150 },
  open: { ofOne: 50, ofStore: 200, ofAll: 300, withReserve: 360 },
};

/** An idle endpoint, or store, always finds some room, however many there are. */
const LEAST_SHARE = 2;

/** Endpoints remembered in one worker; the least recently used one is dropped first. */
const REMEMBERED_ENDPOINTS = 10_000;

interface Endpoint {
  readonly inFlight: Record<DeliveryQueue, number>;
  /** When the running attempts began, oldest first; in milliseconds of `nowMs`. */
  readonly sinceMs: Record<DeliveryQueue, number[]>;
  isFast: boolean;
  /** The duration of the last attempt; 0 if there was none. */
  lastMs: number;
  /** Until when its breaker pauses it, as far as known; in milliseconds of `nowMs`. */
  pausedUntilMs: number;
}

/**
 * Keeps slow endpoints from delaying others. A worker chooses the queue by what it has seen of an endpoint.
 * Attempts at a fast endpoint run inside the workflow task, which saves six events and two round trips. Attempts at
 * any other (unknown, slow, failing) are regular activities. In both queues each endpoint has a limited share,
 * which shrinks as more endpoints receive deliveries.
 */
export class EndpointQueues {
  readonly #nowMs: () => number;
  readonly #endpoints = new Map<WebhookId, Endpoint>();
  readonly #inFlight: Record<DeliveryQueue, number> = { fast: 0, open: 0 };
  /** The number of endpoints with a running attempt. */
  readonly #busy: Record<DeliveryQueue, number> = { fast: 0, open: 0 };
  /** Running attempts of stores that have any. */
  readonly #ofStores: Record<DeliveryQueue, Tally<StoreId>> = { fast: new Tally(), open: new Tally() };

  /** @param nowMs a monotonic clock. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @returns a function to call when the attempt is over; null if the queue has no room for this endpoint or its store now. */
  enter(webhookId: WebhookId, queue: DeliveryQueue, storeId: StoreId): (() => void) | null {
    const endpoint = this.#touch(webhookId);
    if (queue === 'fast' && !this.#isFast(endpoint)) return null;
    if (!this.#hasRoom(endpoint, queue) || !this.#hasRoomOf(storeId, queue)) return null;
    this.#count(endpoint, queue, 1);
    this.#ofStores[queue].add(storeId);
    const sinceMs = this.#nowMs();
    endpoint.sinceMs[queue].push(sinceMs);
    return () => {
      this.#count(endpoint, queue, -1);
      this.#ofStores[queue].remove(storeId);
      endpoint.sinceMs[queue].splice(endpoint.sinceMs[queue].indexOf(sinceMs), 1);
    };
  }

  /** Whether the endpoint has answered fast lately, and answers now. */
  isFast(webhookId: WebhookId): boolean {
    return this.#isFast(this.#touch(webhookId));
  }

  /** Whether a queue has room for this endpoint now, and for its store if that is given. */
  hasRoom(webhookId: WebhookId, queue: DeliveryQueue, storeId?: StoreId): boolean {
    if (storeId !== undefined && !this.#hasRoomOf(storeId, queue)) return false;
    return this.#hasRoom(this.#touch(webhookId), queue);
  }

  #hasRoomOf(storeId: StoreId, queue: DeliveryQueue): boolean {
    const { ofStore, ofAll, withReserve } = ROOM[queue];
    const stores = this.#ofStores[queue];
    const held = stores.of(storeId);
    const share = Math.floor(ofAll / (stores.size + (held === 0 ? 1 : 0)));
    const mostOfAll = held < LEAST_SHARE ? withReserve : ofAll;
    return held < Math.max(LEAST_SHARE, Math.min(ofStore, share)) && this.#inFlight[queue] < mostOfAll;
  }

  /** An endpoint that has just stopped answering is recognized by its running attempts, long before they time out. */
  #isFast({ isFast, sinceMs }: Endpoint): boolean {
    const [oldestMs = Number.POSITIVE_INFINITY] = sinceMs.fast;
    return isFast && this.#nowMs() - oldestMs < FAST_ANSWER_MS;
  }

  /** How often an attempt at this endpoint ends, by its last one and the oldest that runs; in milliseconds. */
  roomEveryMs(webhookId: WebhookId): number {
    const { lastMs, sinceMs, inFlight } = this.#touch(webhookId);
    const nowMs = this.#nowMs();
    const oldestMs = Math.min(...[sinceMs.fast[0], sinceMs.open[0]].map((since) => since ?? nowMs));
    return Math.max(lastMs, nowMs - oldestMs) / Math.max(1, inFlight.fast + inFlight.open);
  }

  #hasRoom({ inFlight }: Endpoint, queue: DeliveryQueue): boolean {
    const { ofOne, ofAll, withReserve } = ROOM[queue];
    const held = inFlight[queue];
    const busy = this.#busy[queue] + (held === 0 ? 1 : 0);
    const share = Math.max(LEAST_SHARE, Math.min(ofOne, Math.floor(ofAll / busy)));
    const isCrowded = inFlight.fast + inFlight.open >= ROOM.open.ofOne;
    return !isCrowded && held < share && this.#inFlight[queue] < withReserve;
  }

  /** Remembers that the endpoint's breaker pauses it for this long. */
  notePause(webhookId: WebhookId, pausedForMs: number): void {
    this.#touch(webhookId).pausedUntilMs = this.#nowMs() + pausedForMs;
  }

  /** Whether the endpoint is paused, as far as this worker knows. */
  isPaused(webhookId: WebhookId): boolean {
    return this.#touch(webhookId).pausedUntilMs > this.#nowMs();
  }

  /** Updates how fast the endpoint is. */
  report(webhookId: WebhookId, result: PostResult): void {
    const endpoint = this.#touch(webhookId);
    endpoint.lastMs = result.durationMs;
    endpoint.pausedUntilMs = 0;
    endpoint.isFast = result.outcome === 'delivered' && result.durationMs < FAST_ANSWER_MS;
  }

  #count(endpoint: Endpoint, queue: DeliveryQueue, change: 1 | -1): void {
    const before = endpoint.inFlight[queue];
    endpoint.inFlight[queue] += change;
    this.#inFlight[queue] += change;
    if (Math.min(before, before + change) === 0) this.#busy[queue] += change;
  }

  #touch(webhookId: WebhookId): Endpoint {
    const known = this.#endpoints.get(webhookId) ?? {
      inFlight: { fast: 0, open: 0 },
      sinceMs: { fast: [], open: [] },
      isFast: false,
      lastMs: 0,
      pausedUntilMs: 0,
    };
    this.#endpoints.delete(webhookId);
    this.#endpoints.set(webhookId, known);
    this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    if (this.#endpoints.size <= REMEMBERED_ENDPOINTS) return;
    for (const [webhookId, { inFlight }] of this.#endpoints) {
      if (inFlight.fast + inFlight.open > 0) continue;
      this.#endpoints.delete(webhookId);
      return;
    }
  }
}
