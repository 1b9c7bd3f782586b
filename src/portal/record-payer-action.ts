import { hash } from 'node:crypto';
import { ExpectedLine, isFormTaken } from '../audit-log/expected-line.ts';
import { AlreadyDone, type AuditDetails, recordAction } from '../audit-log/record-action.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PayerActor } from '../domain/audit-actor.ts';
import type { StoreId } from '../domain/ids.ts';

/** A form that a payer has sent, about one object. */
export interface PayerForm {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** What it is about, which belongs to the payer. */
  readonly subjectId: string;
  /** The form's own id, as the browser sends it. */
  readonly submission: string;
}

export { AlreadyDone as AlreadySent };

interface PayerAction {
  /** The path of the API's operation. */
  readonly action: string;
  readonly details?: AuditDetails;
}

/**
 * Writes the audit line of a payer's action, in the caller's transaction as its last statement.
 * @throws AlreadyDone if the same form has been sent before.
 */
export function recordPayerAction(em: Em, form: PayerForm, action: PayerAction, now: Date): Promise<void> {
  const { devMode, subjectId } = form;
  return recordAction(em, payerOf(form), { ...action, subjectId, devMode, now });
}

/**
 * Forms about one subscription that ask for the same within this time are one request: the first may still wait for the workflow, so the
 * row does not show it yet. As long as a payer waits for an answer.
 */
export const SAME_REQUEST_MS = 4_500;

/** A request that another system carries out, whose audit line is settled by its outcome. */
export type PayerRequest = ExpectedLine;

/**
 * Notes the audit line of what another system does next, such as the workflow of a subscription. The lock lets the forms of two pages
 * pass one after the other.
 * @param form about a subscription.
 * @throws AlreadyDone also if the payer's last request for this subscription is the same and was made just now.
 */
export async function expectPayerRequest(
  em: Em,
  database: Database,
  form: PayerForm,
  action: PayerAction,
  now: Date,
): Promise<PayerRequest> {
  const { storeId, devMode, subjectId } = form;
  await HOLD(em, { subjectId });
  const since = new Date(now.getTime() - SAME_REQUEST_MS);
  const [last] = await LAST_REQUEST(em, { storeId, subjectId, since });
  const details = action.details === undefined ? null : JSON.stringify(action.details);
  if (last?.action === action.action && last.details === details) throw new AlreadyDone();
  return ExpectedLine.note(em, database, payerOf(form), { ...action, subjectId, devMode, now });
}

const HOLD = statement<{ subjectId: string }, object>(
  'hold the subscription of a request by its payer',
  () => 'select 1 from subscriptions where id = :subjectId for no key update',
);

const LAST_REQUEST = statement<
  { storeId: StoreId; subjectId: string; since: Date },
  { readonly action: string; readonly details: string | null }
>(
  'find the last request of a payer',
  () => `
  select action, details from (
    select action, details, created_at, position from audit_lines
    where actor_kind = 'PAYER' and store_id = :storeId and subject_id = :subjectId and created_at > :since
    union all
    select line #>> '{done,action}', line #>> '{done,details}', created_at, null from expected_audit_lines
    where created_at > :since and line #>> '{actor,kind}' = 'PAYER' and line #>> '{done,subjectId}' = :subjectId
  ) request
  order by created_at desc, position desc nulls first limit 1`,
);

/** Whether this form acts right now or has acted: when it is sent again it shows the result, although nothing more is offered. */
export async function wasSent(em: Em, form: PayerForm): Promise<boolean> {
  return isFormTaken(em, payerOf(form));
}

function payerOf(form: PayerForm): PayerActor {
  return { kind: 'PAYER', storeId: form.storeId, submission: submissionOf(form) };
}

/** Bound to the object: nobody can use up the ids of another payer's forms. */
function submissionOf({ subjectId, submission }: PayerForm): string {
  return hash('sha256', `${subjectId} ${submission}`, 'hex');
}
