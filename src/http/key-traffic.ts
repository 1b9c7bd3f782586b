import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { type Allowance, type RateLimit, RateLimiter } from './rate-limiter.ts';
import { SharedRates } from './shared-rates.ts';

/**
 * What a refused request takes of a store's limit. A client that respects `Retry-After` loses next to nothing; one
 * that sends ten times its limit may keep as little as a tenth of it, and other stores keep the rest of the machine.
 */
const REFUSED_COST = 0.1;

/** Limits a store's requests in an environment, across all its keys and all processes. */
export class KeyTraffic {
  readonly #limiter: RateLimiter;
  readonly #shared: SharedRates;

  constructor(database: Database, limit: RateLimit, log: Pick<Logger, 'warn'>) {
    this.#limiter = new RateLimiter(limit, REFUSED_COST);
    this.#shared = new SharedRates(database, this.#limiter, log);
  }

  /** Counts a request; answers from memory. @param cost in usual requests. */
  take(of: StoreEnvironment, now: Date, cost = 1): Allowance {
    const owner = environmentName(of);
    const nowMs = now.getTime();
    this.#shared.note(owner, nowMs);
    return this.#limiter.take(owner, nowMs, cost);
  }

  /** Whether the store's next request would be refused. Counts nothing. */
  isOver(of: StoreEnvironment, now: Date): boolean {
    return this.#limiter.isOver(environmentName(of), now.getTime());
  }

  /** Undoes the count for a key that was then refused. */
  returnToken(of: StoreEnvironment): void {
    this.#limiter.returnToken(environmentName(of));
  }
}
