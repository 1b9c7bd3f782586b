import { statement } from '../database/statement.ts';
import type { WorkflowStart } from './workflow-start.ts';

interface Marked {
  readonly ids: readonly string[];
  readonly now: Date;
  /** Whether rows that are already marked get the new time: their workflows were lost and rebuilt. */
  readonly isRestart: boolean;
}

const mark = (table: WorkflowStart['table']) =>
  statement<Marked>(
    `mark started ${table}`,
    () => `
    update ${table} set workflow_started_at = :now
    where id = any (:ids::text[]) and (workflow_started_at is null or :isRestart)`,
  );

/** Marks rows of one table as started, so that the sweeper skips them. */
export const MARK_STARTED = {
  charges: mark('charges'),
  checkouts: mark('checkouts'),
  subscriptions: mark('subscriptions'),
  payouts: mark('payouts'),
  debits: mark('debits'),
  deliveries: mark('deliveries'),
  resends: mark('resends'),
} satisfies Record<WorkflowStart['table'], unknown>;

/** Marks deliveries as not started. A delivery with an attempt has a run. */
export const MARK_POSTPONED = statement<{ readonly ids: readonly string[] }>(
  'mark postponed deliveries',
  () => `
  update deliveries set workflow_started_at = null
  where id = any (:ids::text[]) and status = 'PENDING' and attempts = 0`,
);
