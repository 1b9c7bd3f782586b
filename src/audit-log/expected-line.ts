import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PayerActor, PersonActor, RequestActor } from '../domain/audit-actor.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { AlreadyDone, type AuditDetails, type Done, recordAction } from './record-action.ts';

const MINUTE_MS = 60_000;

/** No request waits for another system this long: the process has died. */
const ABANDONED_AFTER_MS = 10 * MINUTE_MS;

/** The most abandoned lines written at once; the next audit writes others. */
const BATCH = 100;

/** The details of a line whose action was requested, and may have been done. */
export const UNKNOWN_OUTCOME = { outcome: 'UNKNOWN' } as const;

/** A person or payer who has sent a form. */
export type FormActor = (PersonActor & { readonly submission: string }) | PayerActor;

/** Notes a line, unless it is noted already. Waits for a parallel transaction that takes or notes the same one. */
export const EXPECT = statement<{ form: string; line: object; now: Date }, object>(
  'expect an audit line',
  () => `
  insert into expected_audit_lines (form, line, created_at) values (:form, :line::json, :now)
  on conflict do nothing returning 1`,
);

const IS_RECORDED = statement<FormKey, object>(
  'find the audit line of a form',
  () => `
  select 1 from audit_lines where user_id = :userId and submission = :submission
  union all
  select 1 from audit_lines
  where actor_kind = 'PAYER' and :userId::text is null and store_id = :storeId and submission = :submission`,
);

const IS_EXPECTED = statement<{ form: string }, object>(
  'find an expected audit line',
  () => 'select 1 from expected_audit_lines where form = :form',
);

export const TAKE = statement<{ form: string }, object>(
  'take an expected audit line',
  () => 'delete from expected_audit_lines where form = :form returning 1',
);

const ABANDONED = statement<{ before: Date; limit: number }, { line: Stored }>(
  'take abandoned audit lines',
  () => `
  delete from expected_audit_lines where form in (
    select form from expected_audit_lines where created_at < :before
    order by created_at limit :limit::int for update skip locked
  ) returning line`,
);

interface Stored {
  readonly actor: FormActor | RequestActor;
  readonly done: Omit<Done, 'now'> & { readonly now: string };
}

/**
 * The audit line of an action that another system does, such as a workflow. It is noted before the action, so that it is
 * written also if the process dies in between, and written only if the action was done, or may have been.
 */
export class ExpectedLine {
  readonly #database: Database;
  readonly #actor: FormActor;
  readonly #done: Done;

  private constructor(database: Database, actor: FormActor, done: Done) {
    this.#database = database;
    this.#actor = actor;
    this.#done = done;
  }

  /**
   * Notes the line in the caller's transaction. The action starts after its commit.
   * @throws AlreadyDone if the same form is being carried out, or was.
   */
  static async note(em: Em, database: Database, actor: FormActor, done: Done): Promise<ExpectedLine> {
    const noted = await EXPECT(em, { form: formOf(actor), line: { actor, done }, now: done.now });
    // Looked up after the insert, which waits for a parallel request to commit its line.
    if (noted.length === 0 || (await IS_RECORDED(em, keyOf(actor))).length > 0) throw new AlreadyDone();
    return new ExpectedLine(database, actor, done);
  }

  /**
   * Does the action, and writes the line unless the action was refused.
   * @param isRefusal whether an error of it says that nothing was done.
   */
  async around<Result>(work: () => Promise<Result>, isRefusal: (error: unknown) => boolean): Promise<Result> {
    const result = await work().catch(async (error: unknown) => {
      await (isRefusal(error) ? this.withdraw() : this.recordUnknown());
      throw error;
    });
    await this.record();
    return result;
  }

  /** Writes the line: the action was done. @param details in place of those that were noted. */
  record(details = this.#done.details): Promise<void> {
    return this.#settle((em) =>
      recordAction(em, this.#actor, details === undefined ? this.#done : { ...this.#done, details }),
    );
  }

  /** Writes the line of an action that may have been done. */
  recordUnknown(details?: AuditDetails): Promise<void> {
    return this.record({ ...(details ?? this.#done.details), ...UNKNOWN_OUTCOME });
  }

  /** Forgets the line: nothing was done. The same form can be sent again. */
  withdraw(): Promise<void> {
    return this.#settle(async () => undefined);
  }

  /** Nothing is left to do for a line that was abandoned, and so written, meanwhile. */
  #settle(work: (em: Em) => Promise<void>): Promise<void> {
    return this.#database.em.fork().transactional(async (em) => {
      const taken = await TAKE(em, { form: formOf(this.#actor) });
      if (taken.length > 0) await work(em);
    });
  }
}

/** Writes the lines of actions whose process died before it knew their outcome. Any number of processes may run it at once. */
export async function recordAbandonedLines(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_AFTER_MS);
  await database.em.fork().transactional(async (em) => {
    const lines = (await ABANDONED(em, { before, limit: BATCH })).map(({ line }) => line);
    // In the order of the chains, which prevents deadlocks.
    for (const { actor, done } of lines.toSorted((a, b) => (a.actor.storeId < b.actor.storeId ? -1 : 1)))
      await recordAction(em, actor, {
        ...done,
        now: new Date(done.now),
        details: { ...done.details, ...UNKNOWN_OUTCOME },
      });
  });
}

/** Whether a form is being carried out, or was. */
export async function isFormTaken(em: Em, actor: FormActor): Promise<boolean> {
  // In this order: a line that is written between the two is found by the second.
  if ((await IS_EXPECTED(em, { form: formOf(actor) })).length > 0) return true;
  return (await IS_RECORDED(em, keyOf(actor))).length > 0;
}

interface FormKey {
  /** Null for a payer. */
  readonly userId: UserId | null;
  readonly storeId: StoreId;
  readonly submission: string;
}

function keyOf(actor: FormActor): FormKey {
  const { storeId, submission } = actor;
  return { userId: actor.kind === 'PERSON' ? actor.userId : null, storeId, submission };
}

/** Submissions are unique for a person, and for the payers of a store. */
function formOf(actor: FormActor): string {
  const { userId, storeId, submission } = keyOf(actor);
  return `${userId ?? storeId} ${submission}`;
}
