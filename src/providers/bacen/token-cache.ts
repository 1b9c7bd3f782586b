/** A token of OAuth 2.0, and until when it may be used. */
export interface Token {
  readonly text: string;
  readonly expiresAtMs: number;
  /** What it is good for; null if the bank does not say. */
  readonly scopes: readonly string[] | null;
}

/** A token is renewed when so little of its life is left, as a request on its way would find it expired. */
const RENEWED_BEFORE_MS = 60_000;
/** Nor is more than this part of its life given away, where it lives but a minute. */
const RENEWED_BEFORE_SHARE = 0.2;

/**
 * The token of one account. However many requests need one at once, it is asked for once; a failure is nobody's
 * token, and the next request asks anew.
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

  /** The bank has refused this token. One that was given meanwhile stays. */
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
