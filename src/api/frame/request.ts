import type { Logger } from 'pino';
import { type AuditDetails, recordAction } from '../../database/audit/record-action.ts';
import type { Database, Em } from '../../database/orm.ts';
import type { KeyActor } from '../../domain/audit-actor.ts';
import type { Caller } from './caller.ts';
import type { AppDeps } from './deps.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What a handler knows of the request it answers. `query` and `body` have passed the route's schemas. */
export class ApiRequest<Query = unknown, Body = unknown> {
  readonly deps: AppDeps;
  /** The store, environment and permissions that the API key stands for. */
  readonly key: Caller;
  /** What the route is declared as: the same however it was reached. */
  readonly path: string;
  readonly query: Query;
  readonly body: Body;
  /**
   * When the request arrived, by the clock of its store: one instant for all rows that the request writes. It is real
   * time, unless the clock of a dev environment was moved.
   */
  readonly now: Date;
  /** The same by the service's clock: for what signatures and repeated requests go by. */
  readonly realNow: Date;
  readonly requestId: string;
  /** Who the audit log names; null for a person, whose line the dashboard writes itself. */
  readonly actor: KeyActor | null;
  /** As the client sent it; null where it sent none. */
  readonly idempotencyKey: string | null;
  readonly log: Logger;
  /** Ids of what the request is about, for its log line: handlers add them. Never anything personal. */
  readonly about: Record<string, string> = {};
  readonly #work: UnitOfWork;
  #refreshesAnswer = false;

  constructor(given: {
    deps: AppDeps;
    key: Caller;
    path: string;
    query: Query;
    body: Body;
    now: Date;
    realNow: Date;
    requestId: string;
    actor: KeyActor | null;
    idempotencyKey: string | null;
    log: Logger;
    work: UnitOfWork;
  }) {
    this.deps = given.deps;
    this.key = given.key;
    this.path = given.path;
    this.query = given.query;
    this.body = given.body;
    this.now = given.now;
    this.realNow = given.realNow;
    this.requestId = given.requestId;
    this.actor = given.actor;
    this.idempotencyKey = given.idempotencyKey;
    this.log = given.log;
    this.#work = given.work;
  }

  /** The same request with another query, as for the next page of a list. */
  withQuery<Other>(query: Other): ApiRequest<Other, Body> {
    return new ApiRequest({ ...this, query, work: this.#work });
  }

  /** The request's own EntityManager, inside its transaction while there is one. */
  get em(): Em {
    return this.#work.em;
  }

  /** Where a statement of the request runs: in its transaction while there is one. */
  get on(): Em | Database {
    return this.#work.on;
  }

  get isInTransaction(): boolean {
    return this.#work.isInTransaction;
  }

  /**
   * Runs `work` in the transaction that is open (one is, when an `Idempotency-Key` was sent), else in one of
   * its own.
   */
  transaction<Result>(work: (em: Em) => Promise<Result>): Promise<Result> {
    return this.#work.transaction(work);
  }

  /** Has the answer show what the route's `refresh` says, once what was written is committed. */
  refreshAnswer(): void {
    this.#refreshesAnswer = true;
  }

  get refreshesAnswer(): boolean {
    return this.#refreshesAnswer;
  }

  /**
   * Writes a line of the audit log for an API key, in the transaction of the action. Make it the last statement of the
   * transaction ({@link recordAction}). The route says that it does so, by `audited`.
   */
  async recordAction(em: Em, subjectId: string, details?: AuditDetails): Promise<void> {
    if (this.actor === null) return;
    const action = this.path.slice(1);
    const done = { action, subjectId, devMode: this.key.devMode, now: this.realNow };
    await recordAction(em, this.actor, details === undefined ? done : { ...done, details });
  }

  /**
   * Calls `hook` once what was written is committed, and never if it is rolled back. The answer does not wait
   * for it.
   */
  afterCommit(hook: () => void): void {
    this.#work.afterCommit(hook);
  }
}
