import type { IncomingMessage } from 'node:http';
import { type RateLimit, RateLimiter } from '../../http/rate-limiter.ts';
import type { TrafficLimiter } from '../../http/traffic-limiter.ts';

/** Failed key lookups per address. A lookup that finds a key is not counted. */
const OF_ADDRESS: RateLimit = { perSecond: 20, burst: 100 };
/** The same for an IPv6 site, which has 65,536 such addresses. */
const OF_SITE: RateLimit = { perSecond: 200, burst: 1_000 };

/** Limits lookups of keys that this process does not know, in its memory. */
export class KeyLookups {
  readonly #addresses = new RateLimiter(OF_ADDRESS);
  readonly #sites = new RateLimiter(OF_SITE);
  readonly #clients: Pick<TrafficLimiter, 'addressOf' | 'siteOf'>;

  constructor(clients: Pick<TrafficLimiter, 'addressOf' | 'siteOf'>) {
    this.#clients = clients;
  }

  /** Counts a lookup. @returns null if it may be made, otherwise `Retry-After`. */
  count(request: IncomingMessage, now: Date): string | null {
    const nowMs = now.getTime();
    const ofAddress = this.#addresses.take(this.#clients.addressOf(request), nowMs);
    const site = ofAddress.isAllowed ? this.#clients.siteOf(request) : null;
    const { isAllowed, headers } = site === null ? ofAddress : this.#sites.take(site, nowMs);
    const { 'Retry-After': retryAfter = '1' } = headers;
    return isAllowed ? null : retryAfter;
  }

  /** Whether the client's next lookup would be refused. Changes nothing. */
  isOver(request: IncomingMessage, now: Date): boolean {
    const site = this.#clients.siteOf(request);
    return (
      this.#addresses.isOver(this.#clients.addressOf(request), now.getTime()) ||
      (site !== null && this.#sites.isOver(site, now.getTime()))
    );
  }

  /** Undoes a count, because the key was found. */
  uncount(request: IncomingMessage): void {
    this.#addresses.returnToken(this.#clients.addressOf(request));
    const site = this.#clients.siteOf(request);
    if (site !== null) this.#sites.returnToken(site);
  }
}
