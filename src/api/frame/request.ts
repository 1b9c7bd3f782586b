import type { Logger } from 'pino';
import { LineOfRequest } from '../../audit-log/line-of-request.ts';
import { type AuditDetails, recordAction } from '../../audit-log/record-action.ts';
import type { Database, Em } from '../../database/orm.ts';
import type { KeyActor } from '../../domain/audit-actor.ts';
import type { Caller } from '../keys/caller.ts';
import { type ChangeKey, submissionOf } from './audit-submission.ts';
import type { AppDeps } from './deps.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The object that an audited operation changed, and how. */
interface Recorded {
  readonly subjectId: string;
  readonly details: AuditDetails | undefined;
}

/** The request that a handler answers. `query` and `body` have passed the route's schemas. */
export class ApiRequest<Query = unknown, Body = unknown> {
  readonly deps: AppDeps;
  /** The store, environment and permissions of the API key. */
  readonly key: Caller;
  /** The path that the route declares, whichever alias the client used. */
  readonly path: string;
  readonly query: Query;
  readonly body: Body;
  /**
   * When the request arrived, by the store's clock. All rows that the request writes share this instant. It
   * is real time unless the clock of a dev environment was moved.
   */
  readonly now: Date;
  /** The same instant by the service's clock: for signatures and idempotency. */
  readonly realNow: Date;
  readonly requestId: string;
  /** The actor for the audit log; null for a person, whose line the dashboard writes. */
  readonly actor: KeyActor | null;
  /** As the client sent it; null if absent. */
  readonly idempotencyKey: string | null;
  readonly log: Logger;
  /** Ids that handlers add to the request's log line. Must not be personal data. */
  readonly about: Record<string, string> = {};
  readonly #work: UnitOfWork;
  #refreshesAnswer = false;
  #recorded: Recorded | null = null;
  #line: LineOfRequest | null = null;

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

  /** A copy with another query, for example for the next page of a list. */
  withQuery<Other>(query: Other): ApiRequest<Other, Body> {
    return new ApiRequest({ ...this, query, work: this.#work });
  }

  /** The request's own EntityManager, inside the open transaction if there is one. */
  get em(): Em {
    return this.#work.em;
  }

  /** Where a statement runs: in the open transaction if there is one. */
  get on(): Em | Database {
    return this.#work.on;
  }

  get isInTransaction(): boolean {
    return this.#work.isInTransaction;
  }

  /**
   * Runs `work` in the open transaction (requests with an `Idempotency-Key` have one), otherwise in a new
   * one.
   */
  transaction<Result>(work: (em: Em) => Promise<Result>): Promise<Result> {
    return this.#work.transaction(work);
  }

  /** Makes the response use the route's `refresh` after the commit. */
  refreshAnswer(): void {
    this.#refreshesAnswer = true;
  }

  get refreshesAnswer(): boolean {
    return this.#refreshesAnswer;
  }

  /** What {@link recordAction} or {@link expectLine} received; null if the operation has changed nothing. */
  get recorded(): Recorded | null {
    return this.#recorded;
  }

  /**
   * Writes a line of the audit log for an API key, in the action's transaction. Must be the last statement of
   * the transaction ({@link recordAction}). The route must declare `audited`. For a person the dashboard writes the
   * line, if the handler has called this.
   */
  async recordAction(em: Em, subjectId: string, details?: AuditDetails): Promise<void> {
    this.#recorded = { subjectId, details };
    if (this.actor === null) return;
    const action = this.path.slice(1);
    const done = { action, subjectId, devMode: this.key.devMode, now: this.realNow };
    await recordAction(em, this.actor, details === undefined ? done : { ...done, details });
  }

  /**
   * Notes the audit line of what another system does next, such as a workflow, outside of transactions. The frame writes it once the
   * outcome is known. A second call has no effect. Call {@link noteUnchanged} if nothing has changed in the end. For a person the
   * dashboard has noted the line.
   * @param change what identifies the change if it can be made only once; null if each request makes another one. Requests for the
   * same change leave one line together.
   */
  async expectLine(
    subjectId: string,
    details?: AuditDetails,
    change: ChangeKey | null = null,
  ): Promise<void> {
    if (this.isInTransaction) throw new Error(`POST ${this.path} expects a line, and holds a transaction`);
    this.#recorded = { subjectId, details };
    if (this.actor === null || this.#line !== null) return;
    const done = { action: this.path.slice(1), subjectId, devMode: this.key.devMode, now: this.realNow };
    this.#line = await LineOfRequest.expect(this.deps.database, {
      actor: { ...this.actor, submission: submissionOf(this, change) },
      done: details === undefined ? done : { ...done, details },
      isRepeatable: this.idempotencyKey !== null || change !== null,
    });
  }

  /** Says that what {@link expectLine} has noted was the case already. */
  noteUnchanged(): void {
    this.#recorded = null;
  }

  /** The line that {@link expectLine} has noted for an API key; null if there is none. */
  get expectedLine(): LineOfRequest | null {
    return this.#line;
  }

  /** Runs `hook` after the commit, and never after a rollback. The response does not wait for it. */
  afterCommit(hook: () => void): void {
    this.#work.afterCommit(hook);
  }
}
