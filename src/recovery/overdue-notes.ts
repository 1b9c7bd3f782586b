import type { Logger } from 'pino';
import { noteAttention, resolveAttention } from '../database/attention.ts';
import { AttentionEntity } from '../database/entities/attention.ts';
import type { Database } from '../database/orm.ts';
import type { AttentionKind } from '../domain/attention.ts';
import { OBLIGATIONS } from './obligations.ts';
import { type OpenItem, PAGE_SIZE } from './page.ts';

/** Notes for a person what stays overdue, and closes the notes of what no longer is. */
export class OverdueNotes {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #now: Date;
  readonly #watchedSince: Date;
  readonly #kept = new Set<string>();
  /** The number of new notes. */
  noted = 0;

  /** @param watchedSince since when audits have resumed overdue rows. */
  constructor(database: Database, log: Logger, now: Date, watchedSince: Date) {
    this.#database = database;
    this.#log = log;
    this.#now = now;
    this.#watchedSince = watchedSince;
  }

  /** Notes these overdue items. */
  async take(items: readonly OpenItem[]): Promise<void> {
    for (const { kind, id, storeId, devMode, dueAt } of items) {
      const { as, afterMs } = OBLIGATIONS[kind].note;
      this.#kept.add(`${as}/${id}`);
      const since = dueAt ?? this.#now;
      const watchedMs = this.#now.getTime() - Math.max(since.getTime(), this.#watchedSince.getTime());
      if (watchedMs < afterMs) continue;
      const note = { kind: as, subjectId: id, storeId, devMode, since, now: this.#now };
      if (await noteAttention(this.#database, note, this.#log)) this.noted += 1;
    }
  }

  /** Closes the notes of all items that were not taken. */
  async resolveOthers(): Promise<void> {
    const kinds = new Set(Object.values(OBLIGATIONS).map(({ note }) => note.as));
    for (const kind of kinds) {
      let after = '';
      for (let size = PAGE_SIZE; size === PAGE_SIZE; ) {
        const noted = await this.#notedAfter(kind, after);
        const others = noted.filter((subjectId) => !this.#kept.has(`${kind}/${subjectId}`));
        for (const subjectId of others)
          await resolveAttention(this.#database, { kind, subjectId, now: this.#now });
        size = noted.length;
        after = noted.at(-1) ?? after;
      }
    }
  }

  async #notedAfter(kind: AttentionKind, after: string): Promise<string[]> {
    const where = { kind, resolvedAt: null, subjectId: { $gt: after } };
    const page = { orderBy: { subjectId: 'asc' as const }, limit: PAGE_SIZE };
    const open = await this.#database.em.fork().find(AttentionEntity, where, page);
    return open.map(({ subjectId }) => subjectId);
  }
}
