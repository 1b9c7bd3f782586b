import { type AuditLine, AuditLineEntity } from '../database/entities/audit-line.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { Actor } from '../domain/audit-actor.ts';
import type { AuditLineId } from '../domain/ids.ts';
import { isNoticed } from '../domain/notice.ts';
import { mintId } from '../ids.ts';
import { keepNotice } from '../mail/queue/notice-mails.ts';

/** The action that was done. */
export interface Done {
  /** The path of the API's operation, such as `webhooks/create`, or a name such as `team/invite`. */
  readonly action: string;
  /** The id of the object that was changed. */
  readonly subjectId: string | null;
  /** Null if the action belongs to no environment. */
  readonly devMode: boolean | null;
  readonly now: Date;
  /** The changed values, if few. No secrets, and no data of customers or payers. */
  readonly details?: AuditDetails;
}

export type AuditDetails = Readonly<Record<string, AuditValue>>;
type AuditValue = string | number | boolean | null | readonly string[];

/** The same form was already submitted and its action done. Roll the transaction back. */
export class AlreadyDone extends Error {
  constructor() {
    super('this form has been sent before');
    this.name = 'AlreadyDone';
  }
}

/** A trigger writes the columns of the chain, which are lazy here. */
const INSERT = statement<{ line: AuditLine }, object>(
  'insert an audit line',
  (columns) => `
  insert into audit_lines (${columns.of(AuditLineEntity)}) values (${columns.values(AuditLineEntity, 'line')})
  on conflict do nothing returning 1`,
);

const NOBODY = {
  userId: null,
  role: null,
  keyId: null,
  operator: null,
  address: null,
  submission: null,
} as const;

/**
 * Writes an audit line in the action's transaction, and schedules the owners' mails. Make it the last statement of
 * the transaction: it locks the store's chain until the commit, and other lines of the store wait.
 *
 * @throws AlreadyDone if the same form has already been submitted.
 */
export async function recordAction(em: Em, actor: Actor, done: Done): Promise<void> {
  const { kind, ...who } = actor;
  const { now, details, action, subjectId, devMode } = done;
  const line = {
    ...NOBODY,
    ...who,
    id: mintId<AuditLineId>('auditLine', now),
    actorKind: kind,
    action,
    subjectId,
    devMode,
    details: details === undefined ? null : JSON.stringify(details),
    createdAt: now,
  };
  if ((await INSERT(em, { line })).length === 0) throw new AlreadyDone();
  if (isNoticed(line)) await keepNotice(em, line);
}

/** An action with its actor. */
export interface AuditedAction {
  readonly actor: Actor;
  readonly done: Done;
}

/**
 * Like {@link recordAction} for several stores. All callers lock the chains in the same order, which prevents
 * deadlocks.
 */
export async function recordActions(em: Em, actions: readonly AuditedAction[]): Promise<void> {
  const chainOf = ({ actor }: AuditedAction) => actor.storeId ?? '';
  for (const { actor, done } of actions.toSorted((a, b) => compare(chainOf(a), chainOf(b))))
    await recordAction(em, actor, done);
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
