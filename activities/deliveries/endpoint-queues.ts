import type { WebhookId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';

export type DeliveryQueue = 'fast' | 'open';

/**
 * An endpoint is fast while it answers within this: far below the 10 s of a workflow task, which a fast
 * attempt is part of.
 */
const FAST_ANSWER_MS = 1_000;

/** Attempts at a time in a worker, of one endpoint and of all. */
interface Room {
  readonly ofOne: number;
  /** Less than the slots that the worker has (src/run/worker.ts), so that work that is no delivery finds one. */
  readonly ofAll: number;
}

/**
 * Fast attempts hold one of 200 task slots each, and open ones one of 400 activity slots, for 30 seconds where
 * their endpoint hangs.
 */
const ROOM: Readonly<Record<DeliveryQueue, Room>> = {
  fast: { ofOne: 32, ofAll: 120 },
  open: { ofOne: 50, ofAll: 300 },
};

/** However many endpoints there are, one that nobody is sending to finds some room. */
const LEAST_SHARE = 2;

/** Endpoints remembered in one worker; the longest unseen is forgotten first. */
const REMEMBERED_ENDPOINTS = 10_000;

interface Endpoint {
  readonly inFlight: Record<DeliveryQueue, number>;
  /** When the fast attempts began that are under way; in milliseconds of `nowMs`. */
  readonly fastSinceMs: number[];
  isFast: boolean;
}

/**
 * Keeps slow endpoints from delaying others. What one worker has seen of an endpoint decides its lane:
 * attempts at a fast one run inside the workflow task, which saves six events and two round trips; attempts
 * at any other (unknown, slow, failing) are activities of their own. Of either lane no endpoint may hold more
 * than its share, which gets smaller the more endpoints are being sent to.
 */
export class EndpointQueues {
  readonly #nowMs: () => number;
  readonly #endpoints = new Map<WebhookId, Endpoint>();
  readonly #inFlight: Record<DeliveryQueue, number> = { fast: 0, open: 0 };
  /** Endpoints with an attempt under way. */
  readonly #busy: Record<DeliveryQueue, number> = { fast: 0, open: 0 };

  /** @param nowMs a clock that never goes back. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * @returns what to call when the attempt is over, or null where the lane is closed to this endpoint just
   *   now.
   */
  enter(webhookId: WebhookId, queue: DeliveryQueue): (() => void) | null {
    const endpoint = this.#touch(webhookId);
    if (queue === 'fast' && !this.#isFast(endpoint)) return null;
    if (!this.#hasRoom(endpoint, queue)) return null;
    this.#count(endpoint, queue, 1);
    const sinceMs = this.#nowMs();
    if (queue === 'fast') endpoint.fastSinceMs.push(sinceMs);
    return () => {
      this.#count(endpoint, queue, -1);
      if (queue === 'fast') endpoint.fastSinceMs.splice(endpoint.fastSinceMs.indexOf(sinceMs), 1);
    };
  }

  /** Whether a lane would be open to this endpoint just now. */
  hasRoom(webhookId: WebhookId, queue: DeliveryQueue): boolean {
    return this.#hasRoom(this.#touch(webhookId), queue);
  }

  /** One that has just stopped answering is known by what is under way, long before that is given up. */
  #isFast({ isFast, fastSinceMs: [oldestMs = Number.POSITIVE_INFINITY] }: Endpoint): boolean {
    return isFast && this.#nowMs() - oldestMs < FAST_ANSWER_MS;
  }

  #hasRoom({ inFlight }: Endpoint, queue: DeliveryQueue): boolean {
    const { ofOne, ofAll } = ROOM[queue];
    const held = inFlight[queue];
    const busy = this.#busy[queue] + (held === 0 ? 1 : 0);
    const share = Math.max(LEAST_SHARE, Math.min(ofOne, Math.floor(ofAll / busy)));
    const isCrowded = inFlight.fast + inFlight.open >= ROOM.open.ofOne;
    return !isCrowded && held < share && this.#inFlight[queue] < ofAll;
  }

  /** Learns from an attempt how fast its endpoint is. */
  report(webhookId: WebhookId, result: PostResult): void {
    const endpoint = this.#touch(webhookId);
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
      fastSinceMs: [],
      isFast: false,
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
