import { RecentMap } from './recent-map.ts';

/** A rate limit: `burst` requests at once, and `perSecond` in the long run. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** An owner's remaining requests, for the response headers. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** An owner's tokens at one time; they refill up to the burst. */
interface Bucket {
  tokens: number;
  atMs: number;
  /** The part of the limit that this process may use. */
  share: number;
  /** When the share expires. Afterwards this process may use the whole limit. */
  shareUntilMs: number;
}

/**
 * Owners remembered in one process, about 1 MB. The least recently seen is evicted first, because its bucket
 * is usually full again.
 */
const REMEMBERED = 10_000;

/** The most that a refusal may cost of what refills between two requests: a tenth of the rate always remains. */
const MOST_LOST = 0.9;

/** A token bucket per owner, in the memory of one process. Callers name the owners: stores or addresses. */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #refusedCost: number;
  readonly #buckets = new RecentMap<string, Bucket>(REMEMBERED);

  /** @param refusedCost the part of a token that a refused request takes, so that ignoring refusals does not pay. */
  constructor(limit: RateLimit, refusedCost = 0) {
    this.limit = limit;
    this.#refusedCost = refusedCost;
  }

  /**
   * Takes a token for a request. A refused request takes less, and never all that has refilled, so that a client
   * that retries too fast is not blocked forever.
   */
  take(owner: string, nowMs: number): Allowance {
    const before = this.#buckets.get(owner)?.tokens ?? 0;
    const bucket = this.#bucketOf(owner, nowMs);
    const isAllowed = bucket.tokens >= 1;
    const refilled = Math.max(0, bucket.tokens - before);
    bucket.tokens -= isAllowed ? 1 : Math.min(this.#refusedCost, refilled * MOST_LOST);
    return { isAllowed, headers: this.#headersOf(bucket, isAllowed) };
  }

  /** Whether the owner's next request would be refused. Changes nothing. */
  isOver(owner: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(owner);
    return bucket !== undefined && this.#refilled(bucket, nowMs).tokens < 1;
  }

  /** Returns the token of a request that was wrongly counted for the owner. */
  returnToken(owner: string): void {
    const bucket = this.#buckets.get(owner);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#mostOf(bucket), bucket.tokens + 1);
  }

  /**
   * Limits this process to a part of the owner's limit, above 0 and up to 1, until `untilMs`. Other processes
   * use the rest.
   */
  setShare(owner: string, share: number, untilMs: number): void {
    const bucket = this.#buckets.get(owner);
    if (bucket === undefined) return;
    bucket.share = share;
    bucket.shareUntilMs = untilMs;
    bucket.tokens = Math.min(bucket.tokens, this.#mostOf(bucket));
  }

  #headersOf({ tokens, share }: Bucket, isAllowed: boolean): Record<string, string> {
    const { burst, perSecond } = this.limit;
    const secondsUntil = (wanted: number) => String(Math.ceil((wanted - tokens) / (perSecond * share)));
    return {
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': String(Math.floor(tokens)),
      'RateLimit-Reset': secondsUntil(this.#mostOf({ share })),
      ...(!isAllowed && { 'Retry-After': secondsUntil(1) }),
    };
  }

  #bucketOf(owner: string, nowMs: number): Bucket {
    const { burst } = this.limit;
    const bucket = this.#buckets.get(owner) ?? { tokens: burst, atMs: nowMs, share: 1, shareUntilMs: 0 };
    Object.assign(bucket, this.#refilled(bucket, nowMs));
    this.#buckets.set(owner, bucket);
    return bucket;
  }

  #refilled({ tokens, atMs, share, shareUntilMs }: Bucket, nowMs: number): Bucket {
    const now = { share: nowMs >= shareUntilMs ? 1 : share, shareUntilMs, atMs: nowMs };
    // If the clock is set back, nothing changes.
    const passedMs = Math.max(0, nowMs - atMs);
    const grown = tokens + (passedMs * this.limit.perSecond * now.share) / 1_000;
    return { ...now, tokens: Math.min(this.#mostOf(now), grown) };
  }

  /** At least one request must fit, however small the share. */
  #mostOf({ share }: Pick<Bucket, 'share'>): number {
    return Math.max(1, this.limit.burst * share);
  }
}
