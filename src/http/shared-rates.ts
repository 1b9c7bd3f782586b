import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** How often processes exchange their request rates. */
const EXCHANGED_EVERY_MS = 1_000;

/** How long others' reports stay valid. Tolerates a few failed or late exchanges. */
const VALID_MS = 3_000;

/** A process below this part of the limit reports nothing and reads no reports. */
const REPORTED_PART = 0.1;

/** How often to delete reports of ended processes and of stores below the threshold. */
const EXCHANGES_BETWEEN_CLEARINGS = 60;

/**
 * Shares the limits of owners among processes. In the background, each process reports its request rate for
 * owners near their limit, and takes a share in proportion to all reports. Requests never wait for it.
 * Without Postgres each process keeps its share, and after a few seconds uses the whole limit.
 */
export class SharedRates {
  readonly #database: Database;
  readonly #limiter: RateLimiter;
  readonly #log: Pick<Logger, 'warn'>;
  /** The id of this process. */
  readonly #process = randomUUID();
  /** Requests per owner since the last exchange. */
  #asked = new Map<string, number>();
  #sinceMs: number | null = null;
  #exchange: Promise<void> | null = null;
  #exchanges = 0;

  constructor(database: Database, limiter: RateLimiter, log: Pick<Logger, 'warn'>) {
    this.#database = database;
    this.#log = log;
    this.#limiter = limiter;
  }

  /**
   * Counts a request, allowed or refused. About once a second, a request triggers an exchange in the
   * background.
   */
  note(owner: string, nowMs: number): void {
    this.#asked.set(owner, (this.#asked.get(owner) ?? 0) + 1);
    this.#sinceMs ??= nowMs;
    const passedMs = nowMs - this.#sinceMs;
    // The clock was set back: restart the interval.
    if (passedMs < 0) this.#sinceMs = nowMs;
    if (passedMs < EXCHANGED_EVERY_MS || this.#exchange !== null) return;
    this.#exchange = this.exchange(nowMs)
      // If Postgres is unreachable, the next exchange catches up.
      .catch((error: unknown) => this.#log.warn({ err: error }, 'shared rates not exchanged'))
      .finally(() => {
        this.#exchange = null;
      });
  }

  /** @throws if Postgres is unreachable. */
  async exchange(nowMs: number): Promise<void> {
    const rates = this.#takeRates(nowMs);
    if (rates.size === 0) return;
    this.#exchanges += 1;
    if (this.#exchanges % EXCHANGES_BETWEEN_CLEARINGS === 0) await CLEAR(this.#database, {});
    const others = await EXCHANGE(this.#database, {
      process: this.#process,
      owners: [...rates.keys()],
      rates: [...rates.values()].map(String),
      validSeconds: VALID_MS / 1_000,
    });
    for (const { owner, perSecond } of others) {
      const own = rates.get(owner) ?? 0;
      this.#limiter.setShare(owner, own / (own + perSecond), nowMs + VALID_MS);
    }
  }

  /** Request rates of owners near their limit; resets the counts. */
  #takeRates(nowMs: number): Map<string, number> {
    const seconds = Math.max(nowMs - (this.#sinceMs ?? nowMs), EXCHANGED_EVERY_MS) / 1_000;
    const asked = this.#asked;
    this.#asked = new Map();
    this.#sinceMs = nowMs;
    const least = this.#limiter.limit.perSecond * REPORTED_PART;
    const rates = [...asked].map(([owner, times]) => [owner, times / seconds] as const);
    return new Map(rates.filter(([, perSecond]) => perSecond >= least));
  }
}

interface Exchanged {
  readonly process: string;
  readonly owners: readonly string[];
  readonly rates: readonly string[];
  readonly validSeconds: number;
}

/**
 * Uses the clock of Postgres, because the clocks of processes differ. Each process writes only its own rows.
 */
const EXCHANGE = statement<Exchanged, { readonly owner: string; readonly perSecond: number }>(
  'exchange shared rates',
  () => `
  with own as (
    insert into shared_rates (owner, process, per_second, reported_at)
    select owner, :process, per_second, now()
    from unnest(:owners::text[], :rates::float8[]) as asked (owner, per_second)
    on conflict (owner, process)
      do update set per_second = excluded.per_second, reported_at = excluded.reported_at
  )
  select owner, sum(per_second) as "perSecond" from shared_rates
  where owner = any (:owners::text[]) and process <> :process
    and reported_at > now() - make_interval(secs => :validSeconds)
  group by owner`,
);

const CLEAR = statement<Record<string, never>>(
  'clear shared rates',
  () => `delete from shared_rates where reported_at < now() - interval '1 minute'`,
);
