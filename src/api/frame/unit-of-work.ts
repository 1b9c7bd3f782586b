import type { Logger } from 'pino';
import type { Database, Em } from '../../database/orm.ts';

/**
 * The database access of one request: one EntityManager, at most one transaction at a time, and hooks that
 * run after its commit.
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

  /** Forked at first use, because requests that are refused early need none. */
  get em(): Em {
    if (this.#open !== undefined) return this.#open;
    this.#root ??= this.#database.em.fork();
    return this.#root;
  }

  get isInTransaction(): boolean {
    return this.#open !== undefined;
  }

  /** Where a statement runs: in the open transaction, otherwise directly, without an EntityManager. */
  get on(): Em | Database {
    return this.#open ?? this.#database;
  }

  /** Joins the open transaction, or opens one that commits when `work` resolves. */
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
   * Runs each registered hook once: after a commit, or at the end of the request if no transaction was open.
   */
  runHooks(): void {
    const hooks = this.#hooks;
    this.#hooks = [];
    for (const hook of hooks) this.#run(hook);
  }

  /** A failing hook does not fail the request, because its writes are already committed. */
  #run(hook: () => void): void {
    try {
      hook();
    } catch (error) {
      this.#log.error({ err: error }, 'after-commit hook failed');
    }
  }
}
