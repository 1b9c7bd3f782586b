import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type Announced, announcedText } from '../src/domain/announcement.ts';

/**
 * After an outage, or on the first day of a month, there may be hundreds of thousands of announcements. The
 * activity is retried until Postgres is back; its retries add no events.
 */
const announcements = proxyActivities<Pick<Activities, 'announceDue'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run announces all charges of subscriptions that are due soon. A schedule starts a run every few minutes, and
 * never two at once. The run ends when nothing is left to announce. It is durable because an announcement must be
 * sent within a few days, and nobody would notice a missing one. Timers in each subscription would cost every cycle
 * a part of its history (decision 13).
 */
export async function announcer(): Promise<Announced> {
  const announced = await announcements.announceDue({ nowMs: Date.now() });
  setCurrentDetails(announcedText(announced));
  return announced;
}
