import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type DeletedRows, deletedText } from '../src/domain/retention.ts';

/**
 * Years of events, where retention is set for the first time: an attempt that runs out of time has deleted what
 * it has, and the next one goes on. Retried for as long as Postgres is away, which adds no events.
 */
const deletions = proxyActivities<Pick<Activities, 'deleteOldRows'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run stands for one round of deleting what is kept no longer: answers to an `Idempotency-Key`, old events
 * with their deliveries, and what was closed long ago. A schedule starts it every hour, and never while another one runs. It ends when nothing
 * old is left. It is durable because nobody notices that old rows stay, until the disk is full.
 */
export async function retention(): Promise<DeletedRows> {
  const deleted = await deletions.deleteOldRows({ nowMs: Date.now() });
  setCurrentDetails(deletedText(deleted));
  return deleted;
}
