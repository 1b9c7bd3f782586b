import { hash } from 'node:crypto';
import { AlreadyDone, type AuditDetails, recordAction } from '../audit-log/record-action.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
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
  const { storeId, devMode, subjectId } = form;
  const actor = { kind: 'PAYER', storeId, submission: submissionOf(form) } as const;
  return recordAction(em, actor, { ...action, subjectId, devMode, now });
}

/**
 * Forms about one subscription that ask for the same within this time are one request: the first may still wait for the workflow, so the
 * row does not show it yet. As long as a payer waits for an answer.
 */
export const SAME_REQUEST_MS = 4_500;

/**
 * The same for what the workflow of a subscription does afterwards. The lock lets the forms of two pages pass one after the other.
 * @param form about a subscription.
 * @throws AlreadyDone also if the payer's last request for this subscription is the same and was made just now.
 */
export async function recordPayerRequest(
  em: Em,
  form: PayerForm,
  action: PayerAction,
  now: Date,
): Promise<void> {
  const { storeId, subjectId } = form;
  await HOLD(em, { subjectId });
  const since = new Date(now.getTime() - SAME_REQUEST_MS);
  const [last] = await LAST_REQUEST(em, { storeId, subjectId, since });
  const details = action.details === undefined ? null : JSON.stringify(action.details);
  if (last?.action === action.action && last.details === details) throw new AlreadyDone();
  await recordPayerAction(em, form, action, now);
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
  select action, details from audit_lines
  where actor_kind = 'PAYER' and store_id = :storeId and subject_id = :subjectId and created_at > :since
  order by created_at desc, position desc limit 1`,
);

/** Whether this form has acted before: when it is sent again it shows the result, although nothing more is offered. */
export async function wasSent(em: Em, form: PayerForm): Promise<boolean> {
  const found = await SENT_BEFORE(em, { storeId: form.storeId, submission: submissionOf(form) });
  return found.length > 0;
}

const SENT_BEFORE = statement<{ storeId: StoreId; submission: string }, { id: string }>(
  'find a form of a payer',
  () =>
    `select id from audit_lines where actor_kind = 'PAYER' and store_id = :storeId and submission = :submission`,
);

/** Bound to the object: nobody can use up the ids of another payer's forms. */
function submissionOf({ subjectId, submission }: PayerForm): string {
  return hash('sha256', `${subjectId} ${submission}`, 'hex');
}
