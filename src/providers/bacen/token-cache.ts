/** An OAuth 2.0 token and its expiry. */
export interface Token {
  readonly text: string;
  readonly expiresAtMs: number;
  /** Its scopes; null if the bank does not state them. */
  readonly scopes: readonly string[] | null;
}

/** A token is renewed this long before it expires, so that it does not expire during a request. */
const RENEWED_BEFORE_MS = 60_000;
/** For short-lived tokens: at most this share of the life is given up. */
const RENEWED_BEFORE_SHARE = 0.2;

/**
 * The token of one account. Concurrent requests share one fetch. A failure is not cached: the next request fetches
 * again.
 */
export class TokenCache {
  readonly #ask: () => Promise<Token>;
  readonly #now: () => number;
  #current: { readonly token: Token; readonly freshUntilMs: number } | null = null;
  #asking: Promise<Token> | null = null;

  constructor(ask: () => Promise<Token>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  async get(): Promise<Token> {
    const nowMs = this.#now();
    if (this.#current !== null && this.#current.freshUntilMs > nowMs) return this.#current.token;
    this.#asking ??= this.#renew().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Drops a token that the bank rejected. A newer one stays. */
  forget(text: string): void {
    if (this.#current?.token.text === text) this.#current = null;
  }

  async #renew(): Promise<Token> {
    const askedAtMs = this.#now();
    const token = await this.#ask();
    const lifeMs = token.expiresAtMs - askedAtMs;
    const earlyMs = Math.min(RENEWED_BEFORE_MS, lifeMs * RENEWED_BEFORE_SHARE);
    this.#current = { token, freshUntilMs: token.expiresAtMs - earlyMs };
    return token;
  }
}
