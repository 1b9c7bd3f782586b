import { environmentName, type StoreEnvironment } from '../domain/store-environment.ts';
import { RecentMap } from '../http/recent-map.ts';

/** Payments of one environment under way at once before its new charges and checkouts wait. */
const MOST = 16;

/** A payment that takes longer waits for its provider, whom fewer charges would not make faster. It no longer counts. */
const SLOW_MS = 2_500;

/** How long a new charge waits at most. Its request has an answer within five seconds. */
const LONGEST_WAIT_MS = 3_000;

/** A payment of any environment that ended this recently shows that Temporal and the workers answer, however slowly. */
const RECENT_MS = 2_000;

/** A payment of the same environment that ended this recently shows that its provider answers. Few payments at once end seldom. */
const RECENT_OF_ENVIRONMENT_MS = 15_000;

/** Environments remembered in one process. */
const REMEMBERED = 10_000;

interface Environment {
  readonly payments: Set<symbol>;
  /** Creates that wait, oldest first. */
  readonly creates: Set<() => void>;
  /** When the last payment was decided; in milliseconds of a monotonic clock. */
  decidedAtMs: number;
}

/**
 * The payments for whose workflows this process waits. While an environment has many, its new charges and checkouts wait for a
 * moment: a machine that is too slow for both answers payments in time, and creates later. Other environments wait for nothing.
 */
export class PaymentsUnderWay {
  /** The least recently used one is dropped first: without its count, a create of it does not wait. */
  readonly #environments = new RecentMap<string, Environment>(REMEMBERED);
  /** When the last payment of any environment was decided; in milliseconds of a monotonic clock. */
  #decidedAtMs = Number.NEGATIVE_INFINITY;

  /** Counts a payment of an environment while its workflow is called. */
  async during<Result>(environment: StoreEnvironment, pay: () => Promise<Result>): Promise<Result> {
    const own = this.#of(environment);
    const payment = Symbol();
    own.payments.add(payment);
    const end = () => {
      own.payments.delete(payment);
      for (const begin of [...own.creates].slice(0, Math.max(0, MOST - own.payments.size))) begin();
    };
    const timer = setTimeout(end, SLOW_MS).unref();
    try {
      const decided = await pay();
      own.decidedAtMs = performance.now();
      this.#decidedAtMs = own.decidedAtMs;
      return decided;
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Resolves when a new charge or checkout of this environment may begin: at once, unless many of its payments are under way. */
  async turnOfCreate(environment: StoreEnvironment): Promise<void> {
    const { payments, creates } = this.#of(environment);
    if (payments.size < MOST) return;
    await new Promise<void>((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        creates.delete(begin);
        resolve();
      };
      const timer = setTimeout(begin, LONGEST_WAIT_MS);
      creates.add(begin);
    });
  }

  /** Whether payments were decided lately, also of this environment: those that still wait are slow, and not stuck. */
  isProgressing(environment: StoreEnvironment): boolean {
    const nowMs = performance.now();
    const ofEnvironment = nowMs - this.#of(environment).decidedAtMs;
    return nowMs - this.#decidedAtMs < RECENT_MS && ofEnvironment < RECENT_OF_ENVIRONMENT_MS;
  }

  #of(environment: StoreEnvironment): Environment {
    const name = environmentName(environment);
    const known = this.#environments.get(name);
    if (known !== undefined) return known;
    const unknown = {
      payments: new Set<symbol>(),
      creates: new Set<() => void>(),
      decidedAtMs: Number.NEGATIVE_INFINITY,
    };
    this.#environments.set(name, unknown);
    return unknown;
  }
}
