import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { MARK_POSTPONED, MARK_STARTED } from './mark-started.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** A mark only has to come before the sweeper, which waits seconds. Batching makes 20 updates for 200 starts. */
const MARK_AFTER_MS = 100;

type Row = Pick<WorkflowStart, 'table' | 'id'>;

/** Marks rows as started, soon. Marks within a moment share one update. */
export class StartMarks {
  readonly #database: Database;
  readonly #log: Logger;
  #started: Row[] = [];
  #postponed: { readonly id: Row['id']; readonly then: () => void }[] = [];
  #marking: Promise<void> | null = null;

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** The workflow of this row has been started. */
  started({ table, id }: Row): void {
    this.#started.push({ table, id });
    this.#markSoon();
  }

  /** The workflow of this delivery is not started yet, as opposed to what its row says. @param then is called when the row says so. */
  postponed(id: Row['id'], then: () => void): void {
    this.#postponed.push({ id, then });
    this.#markSoon();
  }

  /** Resolves when all marks are written. */
  async written(): Promise<void> {
    await this.#marking;
  }

  #markSoon(): void {
    this.#marking ??= sleep(MARK_AFTER_MS).then(() => this.#mark());
  }

  async #mark(): Promise<void> {
    const started = this.#started;
    const postponed = this.#postponed;
    this.#started = [];
    this.#postponed = [];
    this.#marking = null;
    try {
      if (postponed.length > 0) await MARK_POSTPONED(this.#database, { ids: postponed.map(({ id }) => id) });
      const now = new Date();
      for (const [table, markStarted] of Object.entries(MARK_STARTED)) {
        const ids = started.filter((row) => row.table === table).map(({ id }) => id);
        if (ids.length > 0) await markStarted(this.#database, { ids, now, isRestart: false });
      }
    } catch (error) {
      // The sweeper finds these rows; its starts then find workflows that are already running.
      this.#log.warn({ err: error, rows: started.length }, 'started workflows not marked');
    }
    for (const { then } of postponed) then();
  }
}
