import type { IncomingMessage } from 'node:http';
import type { StoreEnvironment } from '../../domain/store-environment.ts';
import { KeyTraffic } from '../../http/key-traffic.ts';
import type { TrafficLimiter } from '../../http/traffic-limiter.ts';
import type { AppDeps } from '../frame/deps.ts';
import { ApiError } from '../frame/errors.ts';
import { LARGE_BODY_BYTES, MANY_VALUES } from '../frame/json-body.ts';
import type { ApiContext } from '../frame/state.ts';
import { hashOfKey, keyTextOf } from '../keys/caller.ts';
import { KnownKeys } from '../keys/known-keys.ts';
import { KeyLookups } from './key-lookups.ts';
import { RefusalLines } from './refusal-lines.ts';

export const TOO_MANY_OF_STORE = 'Too many requests of this store; see Retry-After';

/** A refusal without a query, before the request was routed. */
export interface EarlyRefusal {
  readonly storeId: string;
  /** The state of the limit, and when to retry. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many others had no log line; null if this one has none either. */
  readonly alsoRefused: number | null;
}

/**
 * Refuses excess requests from memory, without a query: requests of a store over its limit (all its keys
 * together), and guessed keys.
 */
export class Floods {
  readonly keys = new KnownKeys();
  readonly #traffic: KeyTraffic | null;
  /** Null if a gateway in front of the service limits addresses. */
  readonly #lookups: KeyLookups | null;
  readonly #trafficLimiter: TrafficLimiter;
  readonly #lines = new RefusalLines();

  constructor(
    { database, config, log }: Pick<AppDeps, 'database' | 'config' | 'log'>,
    trafficLimiter: TrafficLimiter,
  ) {
    this.#traffic = config.rateLimit && new KeyTraffic(database, config.rateLimit, log);
    this.#lookups = config.limitAnonymousTraffic ? new KeyLookups(trafficLimiter) : null;
    this.#trafficLimiter = trafficLimiter;
  }

  /** Whether a request carries what may be a key: keys are counted by their store once they are found, or as failed lookups. */
  mayBeKeyed(authorization: string, now: Date): boolean {
    const keyText = keyTextOf(authorization);
    return keyText !== null && this.keys.ownerOf(hashOfKey(keyText), now) !== null;
  }

  /** Whether this process has served the key of a request within a day, or has found it just now. */
  hasServed({ headers }: IncomingMessage, now: Date): boolean {
    const keyText = keyTextOf(headers.authorization ?? '');
    return keyText !== null && this.#isServed(hashOfKey(keyText), now);
  }

  #isServed(hash: string, now: Date): boolean {
    return Boolean(this.keys.ownerOf(hash, now)) || this.keys.servedOwnerOf(hash, now) !== undefined;
  }

  /**
   * Refuses a key that this process has not served within a day, from a client who has sent too many of them.
   * @returns null for every other request; otherwise how many other refusals had no log line, null if this one has none either.
   */
  refusedGuess(request: IncomingMessage, now: Date): { readonly alsoRefused: number | null } | null {
    const keyText = keyTextOf(request.headers.authorization ?? '');
    const hash = keyText === null ? null : hashOfKey(keyText);
    if (hash === null || this.#isServed(hash, now)) return null;
    // Last, because nearly all keys are known, and to read an address takes longer than to find one.
    if (this.#lookups?.isOver(request, now) !== true) return null;
    return { alsoRefused: this.#lines.count(this.#trafficLimiter.addressOf(request), now) };
  }

  /** Counts a request with a key to a path that does not exist, where no key is looked up. @throws ApiError TOO_MANY_REQUESTS */
  countLost(ctx: ApiContext, now: Date): void {
    const keyText = keyTextOf(ctx.get('Authorization'));
    if (keyText === null) return;
    const owner = this.keys.ownerOf(hashOfKey(keyText), now);
    if (owner) this.count(ctx, owner, now);
    else this.countLookup(ctx, now);
  }

  /**
   * Counts a large body as several requests, before it is read: hundreds of them at once would otherwise stop all other stores for the
   * time that it takes to parse them. @throws ApiError TOO_MANY_REQUESTS
   */
  countBody(ctx: ApiContext, owner: StoreEnvironment, bytes: number, now: Date): void {
    this.count(ctx, owner, now, bytes / LARGE_BODY_BYTES);
  }

  /** Counts a body of many values as several requests, before it is parsed. @throws ApiError TOO_MANY_REQUESTS */
  countValues(ctx: ApiContext, owner: StoreEnvironment, values: number, now: Date): void {
    this.count(ctx, owner, now, values / MANY_VALUES);
  }

  /**
   * Refuses a request of a recently used key whose store is over its limit. Takes microseconds, so that a
   * flood leaves the process to other stores. @returns null for every other request, which is counted later
   */
  earlyRefusal(authorization: string, now: Date): EarlyRefusal | null {
    const keyText = this.#traffic === null ? null : keyTextOf(authorization);
    const owner = keyText === null ? null : this.keys.ownerOf(hashOfKey(keyText), now);
    if (!owner || this.#traffic?.isOver(owner, now) !== true) return null;
    const { headers } = this.#traffic.take(owner, now);
    return { storeId: owner.storeId, headers, alsoRefused: this.#lines.count(owner.storeId, now) };
  }

  /** Counts a request towards its store's limit. @throws ApiError TOO_MANY_REQUESTS */
  count(ctx: ApiContext, owner: StoreEnvironment, now: Date, cost = 1): void {
    if (this.#traffic === null) return;
    const { isAllowed, headers } = this.#traffic.take(owner, now, cost);
    // Set now, because failure responses carry these headers too.
    ctx.set(headers);
    if (isAllowed) return;
    ctx.state.storeId = owner.storeId;
    this.#noteRefused(ctx, owner.storeId, now);
    throw new ApiError(429, 'TOO_MANY_REQUESTS', TOO_MANY_OF_STORE);
  }

  /** Undoes a count for a key that was then refused, so that the key does not use up the store's limit. */
  returnToken(ctx: ApiContext, owner: StoreEnvironment): void {
    this.#traffic?.returnToken(owner);
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) ctx.remove(name);
  }

  /** Counts the lookup of a key that was not valid here within a day. @throws ApiError TOO_MANY_REQUESTS */
  countLookup(ctx: ApiContext, now: Date): void {
    const retryAfter = this.#lookups?.count(ctx.req, now) ?? null;
    if (retryAfter !== null) throw this.#strangerRefused(ctx, retryAfter, now);
  }

  /** Undoes the count, because the key was found. */
  uncountLookup(ctx: ApiContext): void {
    this.#lookups?.uncount(ctx.req);
  }

  /**
   * Counts a wrong key across all processes. Valid keys are not counted, so other users of the same address
   * stay unaffected. @throws the given error, or ApiError TOO_MANY_REQUESTS
   */
  async refuseStranger(ctx: ApiContext, error: ApiError, now: Date): Promise<never> {
    const seconds = await this.#trafficLimiter.count({ request: ctx.req, ofAddress: 'wrongKeysOfAddress' });
    if (seconds === null) throw error;
    throw this.#strangerRefused(ctx, String(seconds), now);
  }

  #strangerRefused(ctx: ApiContext, retryAfter: string, now: Date): ApiError {
    this.#noteRefused(ctx, this.#trafficLimiter.addressOf(ctx.req), now);
    const message = 'Too many requests without a valid API key; see Retry-After';
    return new ApiError(429, 'TOO_MANY_REQUESTS', message, undefined, { 'Retry-After': retryAfter });
  }

  #noteRefused(ctx: ApiContext, by: string, now: Date): void {
    ctx.state.alsoRefused = this.#lines.count(by, now);
  }
}
