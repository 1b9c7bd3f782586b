/** How fast somebody may call: `burst` requests at once, and `perSecond` in the long run. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** What is left to somebody, as the headers of the response say it. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** The tokens of one owner at a moment; they grow with time, up to the burst. */
interface Bucket {
  tokens: number;
  atMs: number;
  /** Which part of the limit is this process's. */
  share: number;
  /** Until when that is so; afterwards all of it. */
  shareUntilMs: number;
}

/** Owners remembered in one process, about 1 MB. The longest unseen is forgotten first: its bucket is usually full again. */
const REMEMBERED = 10_000;

/** A token bucket for each owner, in the memory of one process. Callers name owners: stores, or addresses. */
export class RateLimiter {
  readonly limit: RateLimit;
  /** Ordered by when they were last seen. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  /** Takes a token for a request. Refused requests take none, so that a client in a hurry is not kept out for ever. */
  take(owner: string, nowMs: number): Allowance {
    const bucket = this.#bucketOf(owner, nowMs);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return { isAllowed, headers: this.#headersOf(bucket, isAllowed) };
  }

  /** Returns the token of a request that turned out not to be the owner's. */
  giveBack(owner: string): void {
    const bucket = this.#buckets.get(owner);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#mostOf(bucket), bucket.tokens + 1);
  }

  /** Gives this process a part of the owner's limit, above 0 and up to 1, until `untilMs`: other processes have the rest. */
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
    const { burst, perSecond } = this.limit;
    const bucket = this.#buckets.get(owner) ?? { tokens: burst, atMs: nowMs, share: 1, shareUntilMs: 0 };
    // A clock that is set back adds nothing, and takes nothing away.
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    if (nowMs >= bucket.shareUntilMs) bucket.share = 1;
    const grown = bucket.tokens + (passedMs * perSecond * bucket.share) / 1_000;
    bucket.tokens = Math.min(this.#mostOf(bucket), grown);
    bucket.atMs = nowMs;
    this.#buckets.delete(owner);
    this.#buckets.set(owner, bucket);
    if (this.#buckets.size > REMEMBERED) this.#forgetOldest();
    return bucket;
  }

  /** At least one request must fit, however small the share is. */
  #mostOf({ share }: Pick<Bucket, 'share'>): number {
    return Math.max(1, this.limit.burst * share);
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
