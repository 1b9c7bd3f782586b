import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { type Allowance, type RateLimit, RateLimiter } from './rate-limiter.ts';
import { SharedRates } from './shared-rates.ts';

/** Lets through what a store may ask in an environment, with all its keys and of all processes. */
export class KeyTraffic {
  readonly #limiter: RateLimiter;
  readonly #shared: SharedRates;

  constructor(database: Database, limit: RateLimit, log: Pick<Logger, 'warn'>) {
    this.#limiter = new RateLimiter(limit);
    this.#shared = new SharedRates(database, this.#limiter, log);
  }

  /** Counts a request; answers from memory. */
  take(of: StoreEnvironment, now: Date): Allowance {
    const owner = environmentName(of);
    const nowMs = now.getTime();
    this.#shared.note(owner, nowMs);
    return this.#limiter.take(owner, nowMs);
  }

  /** Takes back what was counted for a key that turned out not to be usable. */
  giveBack(of: StoreEnvironment): void {
    this.#limiter.giveBack(environmentName(of));
  }
}
