import type { Em } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import { STARTED_TABLES, type WorkflowStart } from '../workflow-start.ts';
import { BATCH, patience } from './patience.ts';
import { type StartDeps, startEach } from './start-each.ts';

type Table = WorkflowStart['table'];

const TABLES = Object.keys(STARTED_TABLES) as Table[];

/** Before anything that was created. */
const BEGINNING = '-infinity';

/** Starts workflows of rows that nobody has started, as the process that wrote them died or Temporal was away. */
export class ForgottenStarts {
  readonly #deps: StartDeps;
  /** The table that is next: each look begins with another one. */
  #first = Math.floor(Math.random() * TABLES.length);
  readonly #tables = TABLES.map((table) => ({ table, rotation: new Rotation(BEGINNING) }));

  constructor(deps: StartDeps) {
    this.#deps = deps;
  }

  /** Table by table, as each holds a connection. @returns whether there may be more of them at once. */
  async startAll(now: Date): Promise<boolean> {
    let isFull = false;
    this.#first += 1;
    const first = this.#first % TABLES.length;
    for (const turn of [...this.#tables.slice(first), ...this.#tables.slice(0, first)]) {
      if ((await this.#startSome(turn, now)) === BATCH) isFull = true;
    }
    return isFull;
  }

  /** The rows stay locked meanwhile, so that other workers start other ones. @returns how many were started. */
  #startSome({ table, rotation }: Turn, now: Date): Promise<number> {
    return this.#deps.database.em.fork().transactional(async (em) => {
      const rows = await rotation.nextPage(
        BATCH,
        (after) => findForgotten(em, table, after, now),
        ({ createdAt }) => createdAt,
      );
      const ids = await startEach(this.#deps, em.fork(), table, rows);
      if (ids.length === 0) return 0;
      const where = { id: { $in: ids } } as never;
      await em.nativeUpdate<StartedRow>(STARTED_TABLES[table] as never, where, { workflowStartedAt: now });
      return ids.length;
    });
  }
}

/** A payout that waits for an approval is started once its time is over, which releases or ends it. */
const STARTABLE: Partial<Record<Table, string>> = {
  payouts: ` and (approval is distinct from 'WAITING' or approval_due_at <= :now)`,
};

function findForgotten(em: Em, table: Table, after: string, now: Date): Promise<Found[]> {
  return em.execute<Found[]>(
    `select id, created_at::text as "createdAt" from ${table}
     where workflow_started_at is null and created_at > cast(:after as timestamptz)
       and (created_at < :before or created_at > :now)${STARTABLE[table] ?? ''}
     order by created_at limit :limit for update skip locked`,
    { after, before: patience(now), now, limit: BATCH },
  );
}

interface Turn {
  readonly table: Table;
  readonly rotation: Rotation<string>;
}

interface Found {
  readonly id: string;
  /** Postgres's own text: a Date would cut its last three digits. */
  readonly createdAt: string;
}

interface StartedRow {
  workflowStartedAt: Date | null;
}
