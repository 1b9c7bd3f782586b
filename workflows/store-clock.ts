import { continueAsNew, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import { withDomainCancellation } from './cancellation.ts';
import { isHistoryLong } from './long-history.ts';
import { journeyBegunSignal, type StoreClockInput } from './store-clock.contract.ts';

/** Each goes on where the one before has come to, for some seconds: retries add nothing to the history. */
const steps = proxyActivities<Pick<Activities, 'advanceClock'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s' },
});

/** Some twenty minutes of advancing. */
const CONTINUE_AFTER_EVENTS = 1_500;

/**
 * One run stands for one journey of the clock of a store's dev environment, from where it stood to its target. It
 * ends when the clock has come there. It is durable because years of billing take minutes, and a crash in the
 * middle must change nothing of what happens in them.
 *
 * The clock stands in its row while it is advanced, and so do all instants at which something is due: whoever
 * goes on, goes on from there.
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
  if (targetMs === null) return `Came from ${at(fromMs)} to **${at(nowMs)}** in ${count} steps.`;
  const what = waitsFor === null ? '' : ` Waits for **${waitsFor}**, which is due then.`;
  return `At **${at(nowMs)}** after ${count} steps, from ${at(fromMs)} to ${at(targetMs)}.${what}`;
}
