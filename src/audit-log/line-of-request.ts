import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { RequestActor } from '../domain/audit-actor.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../domain/idempotency-window.ts';
import type { StoreId } from '../domain/ids.ts';
import { EXPECT, TAKE, UNKNOWN_OUTCOME } from './expected-line.ts';
import { type AuditDetails, type Done, recordAction } from './record-action.ts';

/** A submission that is older than an `Idempotency-Key` can be replayed belongs to another request. */
const IS_RECORDED = statement<{ storeId: StoreId; submission: string; since: Date }, object>(
  'find the audit line of a request',
  () => `
  select 1 from audit_lines
  where actor_kind = 'API_KEY' and store_id = :storeId and submission = :submission and created_at > :since limit 1`,
);

/** What the log already knows of the same request: nothing, an expected line of another try, or its line. */
type Earlier = 'NOTHING' | 'EXPECTED' | 'RECORDED';

/** How the request has ended. */
export type RequestOutcome =
  | { readonly kind: 'DONE'; readonly details: AuditDetails | undefined }
  | { readonly kind: 'UNCHANGED' }
  | { readonly kind: 'REFUSED' }
  | { readonly kind: 'UNKNOWN' };

/**
 * The audit line of an API key's request that another system carries out, such as a workflow. It is noted before the request is
 * carried out, and written once, however often the request is tried: also if the process dies in between ({@link recordAbandonedLines}).
 */
export class LineOfRequest {
  readonly #database: Database;
  readonly #actor: RequestActor;
  readonly #done: Done;
  readonly #isRepeatable: boolean;
  readonly #earlier: Earlier;

  private constructor(database: Database, { actor, done, isRepeatable }: ExpectedRequest, earlier: Earlier) {
    this.#database = database;
    this.#actor = actor;
    this.#done = done;
    this.#isRepeatable = isRepeatable;
    this.#earlier = earlier;
  }

  /** Notes the line in a transaction of its own. */
  static async expect(database: Database, expected: ExpectedRequest): Promise<LineOfRequest> {
    const { actor, done } = expected;
    const earlier = await database.em.fork().transactional(async (em): Promise<Earlier> => {
      const noted = await expect(em, actor, done);
      // Looked up after the insert, which waits for a parallel try to commit its line.
      if (!(await isRecorded(em, actor, done))) return noted ? 'NOTHING' : 'EXPECTED';
      if (noted) await TAKE(em, { form: formOf(actor) });
      return 'RECORDED';
    });
    return new LineOfRequest(database, expected, earlier);
  }

  /** Writes the line if the request was carried out, or may have been. */
  async settle(outcome: RequestOutcome): Promise<void> {
    if (this.#earlier === 'RECORDED') return;
    const hasTriedBefore = this.#earlier === 'EXPECTED';
    switch (outcome.kind) {
      case 'DONE':
        return this.#write(outcome.details);
      case 'UNCHANGED':
        // The earlier try may have made the change.
        return hasTriedBefore ? this.#write(this.#unknown()) : this.#withdraw();
      case 'REFUSED':
        // The earlier try may have succeeded: its line stays expected.
        return hasTriedBefore ? undefined : this.#withdraw();
      case 'UNKNOWN':
        // The next try knows the outcome. If there is none, the line is abandoned, and written after a while.
        return this.#isRepeatable ? undefined : this.#write(this.#unknown());
    }
  }

  #unknown(): AuditDetails {
    return { ...this.#done.details, ...UNKNOWN_OUTCOME };
  }

  async #withdraw(): Promise<void> {
    await TAKE(this.#database, { form: formOf(this.#actor) });
  }

  /** Noted again first, in case another try has settled it meanwhile: of parallel tries one writes. */
  #write(details: AuditDetails | undefined): Promise<void> {
    const done = details === undefined ? this.#done : { ...this.#done, details };
    return this.#database.em.fork().transactional(async (em) => {
      await expect(em, this.#actor, done);
      await TAKE(em, { form: formOf(this.#actor) });
      if (!(await isRecorded(em, this.#actor, done))) await recordAction(em, this.#actor, done);
    });
  }
}

export interface ExpectedRequest {
  readonly actor: RequestActor;
  readonly done: Done;
  /** Whether another try would have the same submission. */
  readonly isRepeatable: boolean;
}

async function expect(em: Em, actor: RequestActor, done: Done): Promise<boolean> {
  return (await EXPECT(em, { form: formOf(actor), line: { actor, done }, now: done.now })).length > 0;
}

async function isRecorded(em: Em, { storeId, submission }: RequestActor, { now }: Done): Promise<boolean> {
  const since = new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS);
  return (await IS_RECORDED(em, { storeId, submission, since })).length > 0;
}

/** Like an idempotency key, a submission belongs to the store: another key of the store may try again. */
function formOf({ storeId, submission }: RequestActor): string {
  return `API_KEY ${storeId} ${submission}`;
}
