import type { Logger } from 'pino';
import type { Database, Em } from '../../database/orm.ts';

/**
 * The database side of one request: one EntityManager, at most one transaction at a time, and what follows
 * its commit.
 */
export class UnitOfWork {
  readonly #database: Database;
  readonly #log: Logger;
  #root: Em | undefined;
  /** Set while a transaction is open. */
  #open: Em | undefined;
  #hooks: (() => void)[] = [];

  constructor(database: Database, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** Forked at first use: a request that is refused early never needs one. */
  get em(): Em {
    if (this.#open !== undefined) return this.#open;
    this.#root ??= this.#database.em.fork();
    return this.#root;
  }

  get isInTransaction(): boolean {
    return this.#open !== undefined;
  }

  /**
   * Where a statement runs: in the transaction while one is open, else by itself, for which no manager is
   * needed.
   */
  get on(): Em | Database {
    return this.#open ?? this.#database;
  }

  /** Joins the transaction that is open, else opens one that commits when `work` resolves. */
  async transaction<Result>(work: (em: Em) => Promise<Result>): Promise<Result> {
    if (this.#open !== undefined) return work(this.#open);
    try {
      const result = await this.em.transactional((em) => {
        this.#open = em;
        return work(em);
      });
      this.#open = undefined;
      this.runHooks();
      return result;
    } catch (error) {
      this.#open = undefined;
      this.#hooks = [];
      throw error;
    }
  }

  afterCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  /**
   * Runs what was registered, each hook once. Called after a commit and, for hooks outside any transaction,
   * at the end.
   */
  runHooks(): void {
    const hooks = this.#hooks;
    this.#hooks = [];
    for (const hook of hooks) this.#run(hook);
  }

  /** What was committed stays true and is answered so, even if what should follow it fails. */
  #run(hook: () => void): void {
    try {
      hook();
    } catch (error) {
      this.#log.error({ err: error }, 'what should follow a commit failed');
    }
  }
}
