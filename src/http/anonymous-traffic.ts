import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/orm.ts';
import { sendQuery, statement } from '../database/statement.ts';
import { RecentMap } from './recent-map.ts';
import { LIMITS, type Limit, NEVER_UNDONE, REFUSED_UNCOUNTED } from './request-and-guess-limits.ts';

/**
 * Counts of the other limits may be undone, such as those of right passwords that are still being compared. Only as many as no
 * group of people behind one address has under way are a flood.
 */
const FLOOD_OF_UNDONE = 10;

/** Refused addresses, accounts and objects that are remembered in one process. */
const REMEMBERED = 10_000;

/** How much more than one of its addresses an IPv6 site may: many people may share it. */
const SITE_TIMES = 10;

/** A limit, and the address, account or object to count. `SITE` for an IPv6 site, which may more than an address. */
export type Counted = readonly [limit: Limit, of: string, width?: 'SITE'];

/** Counts between two deletions of expired rows. */
const TIMES_BETWEEN_CLEARINGS = 1_000;

/**
 * Counts in Postgres, so that limits hold across processes and restarts. The table is unlogged: a crash of
 * Postgres clears it. Throws the driver's error if Postgres is unreachable.
 */
export class AnonymousTraffic {
  readonly #limiters: Readonly<Record<Limit, RateLimiterPostgres>>;
  readonly #siteLimiters: Readonly<Record<Limit, RateLimiterPostgres>>;
  readonly #database: Database;
  /** When the time of a refused one is over, in milliseconds since 1970. */
  readonly #refusedUntil = new RecentMap<string, number>(REMEMBERED);
  #times = 0;

  constructor(database: Database) {
    this.#database = database;
    const storeClient = { query: (query: object) => sendQuery(database, query) };
    const limiterOf = (limit: Limit, times: number) => {
      const { points, seconds } = LIMITS[limit];
      const store = { storeClient, storeType: 'client', tableName: 'anonymous_traffic', tableCreated: true };
      return new RateLimiterPostgres({
        ...store,
        keyPrefix: limit,
        points: points * times,
        duration: seconds,
      });
    };
    const limits = Object.keys(LIMITS) as Limit[];
    const all = (times: number) =>
      Object.fromEntries(limits.map((limit) => [limit, limiterOf(limit, times)])) as Record<
        Limit,
        RateLimiterPostgres
      >;
    this.#limiters = all(1);
    this.#siteLimiters = all(SITE_TIMES);
  }

  /**
   * Counts once per limit. A refused request counts only towards the limit that refused it, and towards those of {@link NEVER_UNDONE}
   * before.
   * @returns null if the request may proceed, otherwise the seconds until a retry.
   */
  async count(...all: readonly Counted[]): Promise<number | null> {
    const remembered = all.map((counted) => this.refusedFor(counted)).find((seconds) => seconds !== null);
    if (remembered !== undefined) return remembered;
    if (all.length > 0) this.#clearNowAndThen();
    for (const [index, counted] of all.entries()) {
      const [, of] = counted;
      try {
        await this.#limiterOf(counted).consume(of);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        await this.#refuse(counted, error, all.slice(0, index));
        return secondsOf(error.msBeforeNext);
      }
    }
    return null;
  }

  /** The seconds until a retry, if this process knows without a query that one is far over its limit; null otherwise. */
  refusedFor([limit, of]: Counted): number | null {
    const until = this.#refusedUntil.get(keyOf([limit, of])) ?? 0;
    const leftMs = until - Date.now();
    return leftMs > 0 ? secondsOf(leftMs) : null;
  }

  #limiterOf([limit, , width]: Counted): RateLimiterPostgres {
    return (width === 'SITE' ? this.#siteLimiters : this.#limiters)[limit];
  }

  async #refuse(counted: Counted, refusal: RateLimiterRes, before: readonly Counted[]): Promise<void> {
    await this.uncount(...before.filter(([limit]) => !NEVER_UNDONE.has(limit)));
    if (REFUSED_UNCOUNTED.has(counted[0])) await this.uncount(counted);
    else this.#remember(counted, refusal);
  }

  #remember(counted: Counted, { consumedPoints, msBeforeNext }: RateLimiterRes): void {
    const [limit, of] = counted;
    const flood = NEVER_UNDONE.has(limit) ? 1 : FLOOD_OF_UNDONE;
    if (consumedPoints > this.#limiterOf(counted).points * flood)
      this.#refusedUntil.set(keyOf([limit, of]), Date.now() + msBeforeNext);
  }

  /** Refunds the points consumed by a false positive. */
  async uncount(...all: readonly Counted[]): Promise<void> {
    for (const counted of all) await this.#limiterOf(counted).reward(counted[1]);
  }

  #clearNowAndThen(): void {
    this.#times += 1;
    if (this.#times % TIMES_BETWEEN_CLEARINGS !== 0) return;
    // If it fails, the next deletion removes the rows.
    CLEAR(this.#database, { nowMs: Date.now() }).catch(() => undefined);
  }
}

function keyOf([limit, of]: Counted): string {
  return `${limit} ${of}`;
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}

const CLEAR = statement<{ nowMs: number }>(
  'clear anonymous traffic',
  () => 'delete from anonymous_traffic where expire < :nowMs',
);
