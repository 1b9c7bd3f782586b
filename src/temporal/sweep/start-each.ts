import type { Logger } from 'pino';
import type { Database, Em } from '../../database/orm.ts';
import { StartPostponed } from '../paced-starts.ts';
import { unstartedWorkflowsOf } from '../unstarted-workflows.ts';
import type { WorkflowStart } from '../workflow-start.ts';
import type { WorkflowStarter } from '../workflow-starter.ts';

/** What workflows of rows are started with. */
export interface StartDeps {
  readonly database: Database;
  readonly starter: Pick<WorkflowStarter, 'startOnly'>;
  readonly log: Logger;
}

/** What became of starts. */
export interface Started {
  /** Those whose workflow was started, or runs. */
  readonly ids: readonly WorkflowStart['id'][];
  /** Stores whose starts give way to others just now. */
  readonly crowded: readonly string[];
}

/**
 * Starts the workflows of these rows. What cannot be started is left to a later look.
 * @param em on another connection than the one that locks them.
 * @param mayRunAgain whether one that has ended may be started again.
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
      // Within a time of its own, which begins when its turn has come.
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
