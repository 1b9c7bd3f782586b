import type { Logger } from 'pino';
import type { Database, Em } from '../../database/orm.ts';
import { StartPostponed } from '../../temporal/paced-starts.ts';
import { unstartedWorkflowsOf } from '../../temporal/unstarted-workflows.ts';
import type { WorkflowStart } from '../../temporal/workflow-start.ts';
import type { WorkflowStarter } from '../../temporal/workflow-starter.ts';

/** What starting workflows of rows needs. */
export interface StartDeps {
  readonly database: Database;
  readonly starter: Pick<WorkflowStarter, 'startOnly'>;
  readonly log: Logger;
}

/** The result of starts. */
export interface Started {
  /** Rows whose workflow was started or is running. */
  readonly ids: readonly WorkflowStart['id'][];
  /** Stores whose starts currently yield to others. */
  readonly crowded: readonly string[];
}

/**
 * Starts the workflows of these rows. A later sweep retries the ones that fail.
 * @param em uses another connection than the one that locks the rows.
 * @param mayRunAgain whether a workflow that has ended may start again.
 */
export async function startEach(
  { starter, log }: StartDeps,
  em: Em,
  table: WorkflowStart['table'],
  rows: readonly { readonly id: string }[],
  mayRunAgain?: true,
): Promise<Started> {
  if (rows.length === 0) return { ids: [], crowded: [] };
  const crowded = new Set<string>();
  const ids = rows.map(({ id }) => id);
  const starts = await unstartedWorkflowsOf(em, table, ids);
  const tryStart = async (start: WorkflowStart) => {
    try {
      // The time limit begins when the start may run.
      await starter.startOnly(start, mayRunAgain);
      return start.id;
    } catch (error) {
      if (error instanceof StartPostponed) crowded.add(start.storeId);
      else log.warn({ id: start.id, err: error }, 'workflow start failed');
      return null;
    }
  };
  const started = await Promise.all(starts.map(tryStart));
  return { ids: started.filter((id) => id !== null), crowded: [...crowded] };
}
