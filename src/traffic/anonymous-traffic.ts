import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';

/**
 * What those may do who come without a key: so often in so many seconds. Many people share an address: a
 * family, an office, half a town behind the gateway of a mobile network. None of this is met by them.
 */
const LIMITS = {
  /** Pages, and the question for a payment's status that an open page asks every two seconds. */
  pagesOfAddress: { points: 3_000, seconds: 60 },
  /** API keys that are missing, malformed, unknown or revoked. */
  wrongKeysOfAddress: { points: 60, seconds: 60 },
  /** Coupon codes that a checkout does not have. */
  couponGuessesOfAddress: { points: 20, seconds: 60 * 60 },
  /** A link has many payers; what is guessed from many addresses ends here. */
  couponGuessesOfCheckout: { points: 200, seconds: 60 * 60 },
  chargesOfAddress: { points: 30, seconds: 60 },
  chargesOfCheckout: { points: 30, seconds: 10 * 60 },
  chargesOfLink: { points: 300, seconds: 60 },
  /** Passwords and codes of people that were wrong. Whoever is kept out by others' guesses waits for minutes. */
  wrongPasswordsOfAddress: { points: 30, seconds: 15 * 60 },
  wrongPasswordsOfAccount: { points: 10, seconds: 15 * 60 },
  /** Lines of the audit log that say so: one for as long as an account is locked. */
  notedLocksOfAccount: { points: 1, seconds: 15 * 60 },
  /** The same, asked again of somebody who is signed in: only their own sessions reach these. */
  wrongStepUpsOfSession: { points: 10, seconds: 15 * 60 },
  /** More than one session has, so that one that was stolen does not lock its owner out of the others. */
  wrongStepUpsOfUser: { points: 30, seconds: 15 * 60 },
  /** Mails to people who have not asked for any, in the name of the store: a session that was stolen sends few. */
  invitationMailsOfStore: { points: 50, seconds: 24 * 60 * 60 },
} as const;

export type Limit = keyof typeof LIMITS;

/**
 * Who has exceeded one of these is refused from memory until its time is over, so that a flood is no load for Postgres.
 * Nothing that is counted by them is ever taken back.
 */
const REFUSED_FROM_MEMORY: readonly Limit[] = ['pagesOfAddress', 'wrongKeysOfAddress'];

/** Who or what is counted, and by which limit. */
export type Counted = readonly [limit: Limit, of: string];

/** How many times something is counted between two looks for what nobody needs to know any more. */
const TIMES_BETWEEN_CLEARINGS = 1_000;

/**
 * Counts in Postgres, so that the limits hold over all processes and their restarts, in a table of its own
 * that no crash keeps. Without Postgres it throws what its driver throws, as everything does that is asked
 * for then.
 */
export class AnonymousTraffic {
  readonly #limiters: Readonly<Record<Limit, RateLimiterPostgres>>;
  readonly #database: Database;
  #times = 0;

  constructor(database: Database) {
    this.#database = database;
    const storeClient = { query: async (query: unknown) => (await poolOf(database)).query(query) };
    const limiterOf = (limit: Limit) => {
      const { points, seconds } = LIMITS[limit];
      const store = { storeClient, storeType: 'client', tableName: 'anonymous_traffic', tableCreated: true };
      // Blocks in memory whoever Postgres has refused.
      const memory = REFUSED_FROM_MEMORY.includes(limit) ? { inMemoryBlockOnConsumed: points + 1 } : {};
      return new RateLimiterPostgres({ ...store, ...memory, keyPrefix: limit, points, duration: seconds });
    };
    const limits = Object.keys(LIMITS) as Limit[];
    this.#limiters = Object.fromEntries(limits.map((limit) => [limit, limiterOf(limit)])) as Record<
      Limit,
      RateLimiterPostgres
    >;
  }

  /**
   * Counts it once in each.
   * @returns null where it may go on, else after how many seconds it may be tried again.
   */
  async count(...all: readonly Counted[]): Promise<number | null> {
    if (all.length > 0) this.#clearNowAndThen();
    for (const [limit, of] of all) {
      try {
        await this.#limiters[limit].consume(of);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
      }
    }
    return null;
  }

  /** Takes back what was counted, as it turned out to be none. */
  async uncount(...all: readonly Counted[]): Promise<void> {
    for (const [limit, of] of all) await this.#limiters[limit].reward(of);
  }

  #clearNowAndThen(): void {
    this.#times += 1;
    if (this.#times % TIMES_BETWEEN_CLEARINGS !== 0) return;
    // The next time does as well.
    CLEAR(this.#database, { nowMs: Date.now() }).catch(() => undefined);
  }
}

const CLEAR = statement<{ nowMs: number }>(
  'clear anonymous traffic',
  () => 'delete from anonymous_traffic where expire < :nowMs',
);

interface Pool {
  query(query: unknown): Promise<unknown>;
}

async function poolOf(database: Database): Promise<Pool> {
  return (await database.em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
}
