import type { Actor } from '../../domain/audit-actor.ts';
import type { AuditLineId } from '../../domain/ids.ts';
import { isNoticed } from '../../domain/notice.ts';
import { mintId } from '../../ids.ts';
import { type AuditLine, AuditLineEntity } from '../entities/audit-line.ts';
import { keepNotice } from '../notice-mails.ts';
import type { Em } from '../orm.ts';
import { statement } from '../statement.ts';

/** What was done. */
export interface Done {
  /** The path of the API's operation, such as `webhooks/create`, or a name such as `team/invite`. */
  readonly action: string;
  /** The id of the object that was changed. */
  readonly subjectId: string | null;
  /** Null if the action belongs to no environment. */
  readonly devMode: boolean | null;
  readonly now: Date;
  /** What was changed, in a few values. Nothing secret, and no data of customers or payers. */
  readonly details?: AuditDetails;
}

export type AuditDetails = Readonly<Record<string, AuditValue>>;
type AuditValue = string | number | boolean | null | readonly string[];

/** The same form has been sent before, and its action was done then. Roll the transaction back. */
export class AlreadyDone extends Error {
  constructor() {
    super('this form has been sent before');
    this.name = 'AlreadyDone';
  }
}

/** The columns of the chain are lazy, and so a trigger writes them. */
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
 * Writes a line of the audit log in the transaction of the action, and has owners mailed what they are told of. Make it the last statement of the transaction: it
 * holds the end of the store's chain of lines until the commit, and other lines of the store wait.
 *
 * @throws AlreadyDone if the same form has done it before.
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

/** An action of somebody. */
export interface AuditedAction {
  readonly actor: Actor;
  readonly done: Done;
}

/**
 * Writes lines of several stores, as {@link recordAction} does, in one order for everybody: otherwise two transactions
 * could each hold the chain that the other one needs.
 */
export async function recordActions(em: Em, actions: readonly AuditedAction[]): Promise<void> {
  const chainOf = ({ actor }: AuditedAction) => actor.storeId ?? '';
  for (const { actor, done } of actions.toSorted((a, b) => compare(chainOf(a), chainOf(b))))
    await recordAction(em, actor, done);
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
