import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type ListedRound, listedText } from '../src/domain/reconciliation.ts';

/**
 * Days of payments, where banks were away for as long. Retried for as long as Postgres is away, which adds no events; a
 * bank that is away is asked again by the next run.
 */
const listings = proxyActivities<Pick<Activities, 'takeListedPayments'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run stands for one round of asking all providers of real money what was paid. A schedule starts it every five
 * minutes, and never while another one runs. It ends when each has been asked, or could not be. It is durable because
 * a notification that is lost is missed by nobody: this is what makes it matter no more.
 */
export async function reconciliation(): Promise<ListedRound> {
  const listed = await listings.takeListedPayments({ nowMs: Date.now() });
  setCurrentDetails(listedText(listed));
  return listed;
}
