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
  /** Refused requests, less what the limit allows in the same time. */
  excess: number;
  /** Tokens that refused requests still take of what refills, at most a second's. */
  owed: number;
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

/** The most that refusals may take of what refills: a tenth of the rate always remains. */
const MOST_LOST = 0.9;

/** Refused requests cost nothing until there are this many seconds' worth more of them than the limit allows. */
const FREE_SECONDS = 2;

/** A token bucket per owner, in the memory of one process. Callers name the owners: stores or addresses. */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #refusedCost: number;
  readonly #buckets = new RecentMap<string, Bucket>(REMEMBERED);

  /**
   * @param refusedCost the part of a token that a refused request takes, so that ignoring refusals does not pay. A client that sends up to
   * twice its limit pays nothing.
   */
  constructor(limit: RateLimit, refusedCost = 0) {
    this.limit = limit;
    this.#refusedCost = refusedCost;
  }

  /**
   * Takes the tokens of a request, usually one. A refused request takes less, from what refills later, and never all of that, so that a client that
   * retries too fast is not blocked forever.
   * @param cost in tokens. One token is enough to pass: the rest is then missing later.
   */
  take(owner: string, nowMs: number, cost = 1): Allowance {
    const bucket = this.#bucketOf(owner, nowMs);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= cost;
    else this.#owe(bucket);
    return { isAllowed, headers: this.#headersOf(bucket, isAllowed) };
  }

  #owe(bucket: Bucket): void {
    const perSecond = this.limit.perSecond * bucket.share;
    bucket.excess += 1;
    if (bucket.excess > FREE_SECONDS * perSecond)
      bucket.owed = Math.min(perSecond, bucket.owed + this.#refusedCost);
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

  #headersOf({ tokens, owed, share }: Bucket, isAllowed: boolean): Record<string, string> {
    const { burst, perSecond } = this.limit;
    const secondsUntil = (wanted: number) =>
      String(Math.ceil((wanted - tokens + owed) / (perSecond * share)));
    return {
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': String(Math.max(0, Math.floor(tokens))),
      'RateLimit-Reset': secondsUntil(this.#mostOf({ share })),
      ...(!isAllowed && { 'Retry-After': secondsUntil(1) }),
    };
  }

  #bucketOf(owner: string, nowMs: number): Bucket {
    const { burst } = this.limit;
    const none = { excess: 0, owed: 0, share: 1, shareUntilMs: 0 };
    const bucket = this.#buckets.get(owner) ?? { tokens: burst, atMs: nowMs, ...none };
    Object.assign(bucket, this.#refilled(bucket, nowMs));
    this.#buckets.set(owner, bucket);
    return bucket;
  }

  #refilled({ tokens, atMs, excess, owed, share, shareUntilMs }: Bucket, nowMs: number): Bucket {
    const now = { share: nowMs >= shareUntilMs ? 1 : share, shareUntilMs, atMs: nowMs };
    // If the clock is set back, nothing changes.
    const passedMs = Math.max(0, nowMs - atMs);
    const grown = (passedMs * this.limit.perSecond * now.share) / 1_000;
    const paid = Math.min(owed, grown * MOST_LOST);
    return {
      ...now,
      tokens: Math.min(this.#mostOf(now), tokens + grown - paid),
      excess: Math.max(0, excess - grown),
      owed: owed - paid,
    };
  }

  /** At least one request must fit, however small the share. */
  #mostOf({ share }: Pick<Bucket, 'share'>): number {
    return Math.max(1, this.limit.burst * share);
  }
}
