import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { type Announced, announcedText } from '../src/domain/announcement.ts';

/**
 * After an outage, or on the first day of a month, hundreds of thousands. Retried for as long as Postgres is away,
 * which adds no events.
 */
const announcements = proxyActivities<Pick<Activities, 'announceDue'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * One run stands for one round of telling integrators what subscriptions are charged soon. A schedule starts it every few
 * minutes, and never while another one runs. It ends when nothing is left to announce. It is durable because an
 * announcement has a few days only: nobody would notice that none is made. Subscriptions have no timers for it, which
 * would cost each of their cycles a part of its history (decision 39).
 */
export async function announcer(): Promise<Announced> {
  const announced = await announcements.announceDue({ nowMs: Date.now() });
  setCurrentDetails(announcedText(announced));
  return announced;
}
