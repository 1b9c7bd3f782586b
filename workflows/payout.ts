import { continueAsNew, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { PayoutStatus } from '../src/domain/payout.ts';
import { transitionsIn } from './lib/activity-options.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { isHistoryLong } from './lib/long-history.ts';
import { Mutex } from './lib/mutex.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { type PayoutInput, payoutStateQuery } from './payout.contract.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** A PIX takes seconds, so the first polls come soon. A slower one is stuck at a bank for hours or days. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/** Half a day of polling. No operator needs the earlier events. */
const CONTINUE_AFTER_EVENTS = 300;

/**
 * One run handles one payout or transfer until the money has arrived or is back in the store's balance. It is
 * durable because the money was reserved when the payout was created. The money must be sent once or given back,
 * even if a process crashes after the provider's answer.
 *
 * Money that was sent cannot be called back, so a cancellation request in the Temporal UI changes nothing.
 */
export function payout(input: PayoutInput): Promise<PayoutStatus> {
  return withDomainCancellation(() => sent(input));
}

async function sent({ payoutId, asked: askedBefore = 0 }: PayoutInput): Promise<PayoutStatus> {
  const clock = new RunClock();
  const transitions = transitionsIn(new Mutex());
  let status: PayoutStatus = 'PENDING';
  let asked = askedBefore;
  setHandler(payoutStateQuery, () => ({ status, asked }));

  for (;;) {
    asked += 1;
    status = await transitions.advancePayout({ payoutId, ...moment() });
    if (status !== 'PENDING') break;
    setCurrentDetails(`Pending after ${asked} requests to the provider.`);
    await clock.pause(pauseMsAfter(asked), () => false, 'ask the provider again');
    if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await continueAsNew<typeof payout>({ payoutId, asked });
  }

  upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`Payout is **${status}**.`);
  return status;
}

/** Doubles with each poll. */
function pauseMsAfter(asked: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (asked - 1), LONGEST_PAUSE_MS);
}
