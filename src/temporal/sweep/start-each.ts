import type { Logger } from 'pino';
import type { Database, Em } from '../../database/orm.ts';
import { forgottenStarts } from '../forgotten-starts.ts';
import type { WorkflowStart } from '../workflow-start.ts';
import type { WorkflowStarter } from '../workflow-starter.ts';

/** What workflows of rows are started with. */
export interface StartDeps {
  readonly database: Database;
  readonly starter: Pick<WorkflowStarter, 'startOnly'>;
  readonly log: Logger;
}

/**
 * Starts the workflows of these rows. What cannot be started is left to a later look.
 * @param em on another connection than the one that locks them.
 * @param mayRunAgain whether one that has ended may be started again.
 * @returns those whose workflow was started, or runs.
 */
export async function startEach(
  { starter, log }: StartDeps,
  em: Em,
  table: WorkflowStart['table'],
  rows: readonly { readonly id: string }[],
  mayRunAgain?: true,
): Promise<WorkflowStart['id'][]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const starts = await forgottenStarts(em, table, ids);
  const tryStart = async (start: WorkflowStart) => {
    try {
      // Within a time of its own, which begins when its turn has come.
      await starter.startOnly(start, mayRunAgain);
      return start.id;
    } catch (error) {
      log.warn({ id: start.id, err: error }, 'workflow could not be started');
      return null;
    }
  };
  const started = await Promise.all(starts.map(tryStart));
  return started.filter((id) => id !== null);
}
