import { continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { isHistoryLong } from './lib/long-history.ts';
import { journeyBegunSignal, type StoreClockInput } from './store-clock.contract.ts';

/** Each attempt continues from the clock's position, for some seconds. Retries add nothing to the history. */
const steps = proxyActivities<Pick<Activities, 'advanceClock'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
});

/** About twenty minutes of advancing. */
const CONTINUE_AFTER_EVENTS = 1_500;

/**
 * One run moves the clock of a store's dev environment to its target, and ends there. It is durable because years
 * of billing take minutes, and a crash in the middle must not change the result.
 *
 * The clock's row holds its position, and Postgres holds all due instants, so another run or worker can continue
 * from there.
 */
export function storeClock(input: StoreClockInput): Promise<ClockProgress> {
  return withDomainCancellation(() => advanced(input));
}

async function advanced(input: StoreClockInput): Promise<ClockProgress> {
  let isAskedAgain = false;
  setHandler(journeyBegunSignal, () => {
    isAskedAgain = true;
  });
  for (;;) {
    isAskedAgain = false;
    const progress = await steps.advanceClock(input);
    setCurrentDetails(progressText(progress));
    if (progress.targetMs === null && !isAskedAgain) return progress;
    if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await continueAsNew<typeof storeClock>(input);
  }
}

function progressText({ fromMs, nowMs, targetMs, steps: count, waitsFor }: ClockProgress): string {
  const at = (instantMs: number) => new Date(instantMs).toISOString();
  if (targetMs === null) return `Advanced from ${at(fromMs)} to **${at(nowMs)}** in ${count} steps.`;
  const what = waitsFor === null ? '' : ` Waiting for **${waitsFor}**, which is due then.`;
  return `At **${at(nowMs)}** after ${count} steps, from ${at(fromMs)} to ${at(targetMs)}.${what}`;
}
