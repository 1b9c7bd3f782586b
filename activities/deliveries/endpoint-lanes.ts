import { ApplicationFailure } from '@temporalio/common';
import type { WebhookId } from '../../src/domain/ids.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';

export type Lane = 'fast' | 'open';

/**
 * An endpoint is fast while it answers within this: far below the 10 s of a workflow task, which a fast
 * attempt is part of.
 */
const FAST_ANSWER_MS = 1_000;

/**
 * Fast attempts of one endpoint at a time: should it turn slow, it holds no more of a worker's 200 task slots
 * than these.
 */
const FAST_SHARE = 32;

/**
 * Attempts of one endpoint at a time in a worker: a dead one, at 30 s each, still leaves the other slots to
 * the others.
 */
const OPEN_SHARE = 50;

/** How soon a crowded endpoint is tried again; nothing was sent, so it counts as no attempt. */
const BUSY_RETRY_MS = 1_000;

/** Endpoints remembered in one worker; the longest unseen is forgotten first. */
const REMEMBERED_ENDPOINTS = 10_000;

interface Endpoint {
  inFlight: number;
  isFast: boolean;
}

/**
 * Keeps slow endpoints from delaying others. What one worker has seen of an endpoint decides its lane:
 * attempts at a fast one run inside the workflow task, which saves six events and two round trips; attempts
 * at any other (unknown, slow, failing) are activities of their own, of which no endpoint may hold more than
 * its share.
 */
export class EndpointLanes {
  readonly #endpoints = new Map<WebhookId, Endpoint>();

  /**
   * @returns what to call when the attempt is over, or null where the lane is closed to this endpoint just
   *   now.
   */
  enter(webhookId: WebhookId, lane: Lane): (() => void) | null {
    const endpoint = this.#touch(webhookId);
    if (lane === 'fast' && !endpoint.isFast) return null;
    if (endpoint.inFlight >= (lane === 'fast' ? FAST_SHARE : OPEN_SHARE)) return null;
    endpoint.inFlight += 1;
    return () => {
      endpoint.inFlight -= 1;
    };
  }

  /** Learns from an attempt how fast its endpoint is. */
  report(webhookId: WebhookId, result: PostResult): void {
    const endpoint = this.#touch(webhookId);
    endpoint.isFast = result.outcome === 'delivered' && result.durationMs < FAST_ANSWER_MS;
  }

  /** The failure that brings a crowded endpoint's attempt back soon. */
  busy(): ApplicationFailure {
    return ApplicationFailure.create({
      message: 'The endpoint holds its full share of connections',
      type: 'EndpointBusy',
      nextRetryDelay: BUSY_RETRY_MS,
    });
  }

  #touch(webhookId: WebhookId): Endpoint {
    const known = this.#endpoints.get(webhookId) ?? { inFlight: 0, isFast: false };
    this.#endpoints.delete(webhookId);
    this.#endpoints.set(webhookId, known);
    this.#forgetOldest();
    return known;
  }

  #forgetOldest(): void {
    if (this.#endpoints.size <= REMEMBERED_ENDPOINTS) return;
    for (const [webhookId, endpoint] of this.#endpoints) {
      if (endpoint.inFlight > 0) continue;
      this.#endpoints.delete(webhookId);
      return;
    }
  }
}
