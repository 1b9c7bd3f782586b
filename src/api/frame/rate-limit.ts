import type { ApiKeyId } from '../../domain/ids.ts';

/**
 * How fast one key may call: `burst` requests at once, and `perSecond` in the long run (contract section 1,
 * "Rate limit").
 */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** What is left to a key, as the answer's headers tell it. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A key's tokens at a moment; they grow again with time, up to the burst. */
interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Keys remembered in one process, about 1 MB. The longest unseen is forgotten first: as a rule its bucket is
 * full again.
 */
const REMEMBERED_KEYS = 10_000;

/**
 * A token bucket for each key, in the memory of one process: of several API processes each allows the whole
 * rate, and a restart fills every bucket.
 */
export class RateLimiter {
  readonly #limit: RateLimit;
  /** Ordered by when they were last seen. */
  readonly #buckets = new Map<ApiKeyId, Bucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Takes a token for a request. Refused requests take none, so that a client in a hurry is not kept out for
   * ever.
   */
  take(keyId: ApiKeyId, now: Date): Allowance {
    const { burst, perSecond } = this.#limit;
    const bucket = this.#bucketOf(keyId, now.getTime());
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    const secondsUntil = (tokens: number) => String(Math.ceil((tokens - bucket.tokens) / perSecond));
    const headers = {
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': String(Math.floor(bucket.tokens)),
      'RateLimit-Reset': secondsUntil(burst),
      ...(!isAllowed && { 'Retry-After': secondsUntil(1) }),
    };
    return { isAllowed, headers };
  }

  #bucketOf(keyId: ApiKeyId, nowMs: number): Bucket {
    const { burst, perSecond } = this.#limit;
    const known = this.#buckets.get(keyId) ?? { tokens: burst, atMs: nowMs };
    // A clock that is set back adds nothing, and takes nothing away.
    const passedMs = Math.max(0, nowMs - known.atMs);
    const bucket = { tokens: Math.min(burst, known.tokens + (passedMs * perSecond) / 1_000), atMs: nowMs };
    this.#buckets.delete(keyId);
    this.#buckets.set(keyId, bucket);
    if (this.#buckets.size > REMEMBERED_KEYS) this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
