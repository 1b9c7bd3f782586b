import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type ListedRound, listedText } from '../src/domain/reconciliation.ts';

/**
 * After an outage a bank may list days of payments. The activity is retried until Postgres is back, without events
 * in the history. The next run asks a bank that did not answer.
 */
const listings = proxyActivities<Pick<Activities, 'takeListedPayments'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run asks every provider of real money for its payments. A schedule starts a run every five minutes, and never
 * two at once. The run ends when each provider has answered or failed. It is durable because it catches payments
 * whose notification was lost.
 */
export async function reconciliation(): Promise<ListedRound> {
  const listed = await listings.takeListedPayments({ nowMs: Date.now() });
  setCurrentDetails(listedText(listed));
  return listed;
}
