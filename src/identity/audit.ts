import { AuditLineEntity } from '../database/entities/audit-line.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import type { AuditLineId, StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { mintId } from '../ids.ts';

/** Who does something, where, and from where. */
export interface Actor {
  readonly userId: UserId;
  readonly role: Role;
  readonly storeId: StoreId;
  readonly address: string;
  /** Of the form; null where no form asks for it. */
  readonly submission: string | null;
}

/** What was done. */
export interface Done {
  /** The API's path of it, such as `webhooks/create`, or a name of the dashboard's own, such as `team/invite`. */
  readonly action: string;
  readonly subjectId: string | null;
  /** Null for what is of no environment. */
  readonly devMode: boolean | null;
  readonly now: Date;
}

/** The form has been sent before, and what it asks for was done then. */
export class AlreadyDone extends Error {
  constructor() {
    super('this form has been sent before');
    this.name = 'AlreadyDone';
  }
}

/**
 * Writes down what a person does, in the transaction that does it: there is no action without its line.
 * @throws AlreadyDone where the same form has done it before, so that nothing is done twice.
 */
export async function recordAction(em: Em, actor: Actor, { now, ...done }: Done): Promise<void> {
  const id = mintId<AuditLineId>('auditLine', now);
  if (!(await insertNew(em, AuditLineEntity, { id, ...actor, ...done, createdAt: now })))
    throw new AlreadyDone();
}
