import { Migration } from '@mikro-orm/migrations';

/** A statement that waits longer for its lock lets those go first that queue behind it, and tries again. */
const LOCK_TIMEOUT = '2s';
const LOCK_TRIES = 30;

/** Postgres' code of a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A migration of tables that are being used, however large they are: nothing in it holds a table for longer than
 * a moment. It is no single transaction, so each of its steps can be done again after a failure in the middle.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** Changes tables in one transaction, as soon as their locks can be had at once. */
  protected async change(sql: string): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        await this.execute(`set local lock_timeout = '${LOCK_TIMEOUT}'; ${sql}`);
        return;
      } catch (error) {
        const isLocked = (error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE;
        if (!isLocked || tried === LOCK_TRIES) throw error;
      }
    }
  }

  /** Makes an index beside all writers. One that an earlier try has left half done is made again. */
  protected index(name: string, definition: string): Promise<void> {
    return this.#makeIndex('index', name, definition);
  }

  /** The same of an index that keeps rows unique. */
  protected uniqueIndex(name: string, definition: string): Promise<void> {
    return this.#makeIndex('unique index', name, definition);
  }

  async #makeIndex(kind: 'index' | 'unique index', name: string, definition: string): Promise<void> {
    await this.execute(`drop index concurrently if exists ${name}`);
    await this.execute(`create ${kind} concurrently ${name} on ${definition}`);
  }

  /**
   * Changes rows a batch at a time. @param sql changes the next rows after the id `:after`, and returns the last
   * one's id as `last`; null where there are none left.
   */
  protected async inBatches(sql: string): Promise<void> {
    let after = '';
    for (;;) {
      const [row] = (await this.execute(sql, { after } as never)) as { readonly last: string | null }[];
      if (!row?.last) return;
      after = row.last;
    }
  }
}
