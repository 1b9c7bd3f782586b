import { CrowdedStores } from './crowded-stores.ts';
import { type StartDeps, startEach } from './start-each.ts';

/** By then the first attempt at a webhook is made, unless its run was lost or its endpoint is slow. */
const UNATTEMPTED_MS = 60_000;
/** Few, as most of them have a run that is about to make the attempt. Each is checked once a minute at most. */
const BATCH = 30;
/** A store with this many rows in a batch is crowded. */
const CROWD = 10;
/** A crowded store is skipped by every second batch for this long, so that its rows do not delay others. */
const CROWDED_MS = 60_000;

/**
 * Restarts webhook runs that were lost before their first attempt. Webhooks are written as already started, so such
 * a loss shows only in the missing attempt; a running workflow stays unchanged. Each row is marked again when it is
 * checked, and the least recently checked ones come first. So rows that wait for their endpoint, or cannot be
 * started, do not delay others.
 */
export class UnattemptedDeliveries {
  readonly #deps: StartDeps;
  readonly #crowded = new CrowdedStores(CROWDED_MS);

  constructor(deps: StartDeps) {
    this.#deps = deps;
  }

  /** Checks some rows of stores that are not crowded, and then some of all stores. */
  async startSome(now: Date): Promise<void> {
    const crowded = this.#crowded.now();
    for (const without of crowded.length > 0 ? [crowded, []] : [[]])
      for (const range of ['workflow_started_at < :before', 'workflow_started_at > :now'])
        await this.#startBatch(range, without, now);
  }

  async #startBatch(range: string, without: readonly string[], now: Date): Promise<void> {
    const before = new Date(now.getTime() - UNATTEMPTED_MS);
    const em = this.#deps.database.em.fork();
    const rows = await em.execute<{ id: string; storeId: string }[]>(
      `update deliveries set workflow_started_at = :now where id in (
         select id from deliveries
         where status = 'PENDING' and attempts = 0 and ${range}
           and (coalesce(next_attempt_at, created_at) < :before or coalesce(next_attempt_at, created_at) > :now)
           and store_id <> all (string_to_array(:without, ','))
         order by workflow_started_at limit :limit for update skip locked
       ) returning id, store_id as "storeId"`,
      { before, now, without: without.join(','), limit: BATCH },
    );
    for (const [storeId, { length }] of Map.groupBy(rows, (row) => row.storeId))
      if (length >= CROWD) this.#crowded.note(storeId);
    await startEach(this.#deps, em, 'deliveries', rows, true);
  }
}
