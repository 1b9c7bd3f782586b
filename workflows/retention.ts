import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type DeletedRows, deletedText } from '../src/domain/retention.ts';

/**
 * Years of events may be due when retention is set for the first time. An attempt that times out keeps what it has
 * deleted, and the next one continues. The activity is retried until Postgres is back; its retries add no events.
 */
const deletions = proxyActivities<Pick<Activities, 'deleteOldRows'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run deletes rows whose retention is over: answers to an `Idempotency-Key`, old events with their deliveries,
 * and rows that were closed long ago. A schedule starts a run every hour, and never two at once. The run ends when
 * nothing old is left. It is durable because nobody notices remaining old rows until the disk is full.
 */
export async function retention(): Promise<DeletedRows> {
  const deleted = await deletions.deleteOldRows({ nowMs: Date.now() });
  setCurrentDetails(deletedText(deleted));
  return deleted;
}
