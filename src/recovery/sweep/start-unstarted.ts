import type { Em } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import { STARTED_TABLES, type WorkflowStart } from '../../temporal/workflow-start.ts';
import { CrowdedStores } from './crowded-stores.ts';
import { BATCH, patience } from './patience.ts';
import { type StartDeps, startEach } from './start-each.ts';

type Table = WorkflowStart['table'];

const TABLES = Object.keys(STARTED_TABLES) as Table[];

/** A store with this many rows in a batch is crowded, and so is one whose starts yielded. */
const CROWD = 10;
/** A crowded store is skipped by every second look for this long, so that its backlog does not delay others. */
const CROWDED_MS = 10_000;

/** Earlier than any row. */
const BEGINNING = '-infinity';

/** Starts workflows of rows whose start was lost: the process that wrote them died, or Temporal was unavailable. */
export class UnstartedWorkflows {
  readonly #deps: StartDeps;
  /** The next table: each sweep begins with another one. */
  #first = Math.floor(Math.random() * TABLES.length);
  readonly #tables = TABLES.map((table) => ({
    table,
    rotation: new Rotation(BEGINNING),
    ofOthers: new Rotation(BEGINNING),
  }));
  readonly #crowded = new CrowdedStores(CROWDED_MS);

  constructor(deps: StartDeps) {
    this.#deps = deps;
  }

  /** One table at a time, as each needs a connection. @returns whether there may be more right now. */
  async startAll(now: Date): Promise<boolean> {
    let isFull = false;
    this.#first += 1;
    const first = this.#first % TABLES.length;
    for (const turn of [...this.#tables.slice(first), ...this.#tables.slice(0, first)]) {
      const { table, rotation, ofOthers } = turn;
      const crowded = this.#crowded.now();
      if (crowded.length > 0 && (await this.#startSome(table, ofOthers, crowded, now))) isFull = true;
      if (await this.#startSome(table, rotation, [], now)) isFull = true;
    }
    return isFull;
  }

  /**
   * The rows stay locked meanwhile, so that other workers start different ones.
   * @param without stores to skip.
   * @returns whether there may be more, and some were started.
   */
  #startSome(
    table: Table,
    rotation: Rotation<string>,
    without: readonly string[],
    now: Date,
  ): Promise<boolean> {
    return this.#deps.database.em.fork().transactional(async (em) => {
      const rows = await rotation.nextPage(
        BATCH,
        (after) => findUnstarted(em, table, { after, now, without }),
        ({ createdAt }) => createdAt,
      );
      for (const [storeId, { length }] of Map.groupBy(rows, (row) => row.storeId))
        if (length >= CROWD) this.#crowded.note(storeId);
      const { ids, crowded } = await startEach(this.#deps, em.fork(), table, rows);
      for (const storeId of crowded) this.#crowded.note(storeId);
      if (ids.length === 0) return false;
      const where = { id: { $in: ids } } as never;
      await em.nativeUpdate<StartedRow>(STARTED_TABLES[table] as never, where, { workflowStartedAt: now });
      return rows.length === BATCH;
    });
  }
}

/**
 * A payout that waits for an approval is started after its time limit, which releases or ends it. A delivery to an
 * endpoint that hangs is started after the endpoint's pause: its run could only wait. After an hour it starts anyway.
 */
const STARTABLE: Partial<Record<Table, string>> = {
  payouts: ` and (approval is distinct from 'WAITING' or approval_due_at <= :now)`,
  deliveries: ` and (created_at < cast(:now as timestamptz) - interval '1 hour' or not exists (
    select from endpoint_breakers breaker where breaker.webhook_id = deliveries.webhook_id and breaker.paused_until > :now))`,
};

function findUnstarted(
  em: Em,
  table: Table,
  { after, now, without }: { after: string; now: Date; without: readonly string[] },
): Promise<Found[]> {
  return em.execute<Found[]>(
    `select id, store_id as "storeId", created_at::text as "createdAt" from ${table}
     where workflow_started_at is null and created_at > cast(:after as timestamptz)
       and (created_at < :before or created_at > :now)${STARTABLE[table] ?? ''}
       and store_id <> all (string_to_array(:without, ','))
     order by created_at limit :limit for update skip locked`,
    { after, before: patience(now), now, without: without.join(','), limit: BATCH },
  );
}

interface Found {
  readonly id: string;
  readonly storeId: string;
  /** Postgres's own text: a Date would lose its last three digits. */
  readonly createdAt: string;
}

interface StartedRow {
  workflowStartedAt: Date | null;
}
