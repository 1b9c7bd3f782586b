import {
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PayoutStatus } from '../src/domain/payout.ts';
import { transitionsIn } from './activity-options.ts';
import { withDomainCancellation } from './cancellation.ts';
import { Mutex } from './mutex.ts';
import { type PayoutInput, payoutStateQuery } from './payout.contract.ts';
import { moment, RunClock } from './run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import { payoutsContinueSooner } from './versions.ts';

/**
 * A PIX takes seconds, so the first questions come soon; one that takes longer is stuck at a bank, for hours
 * or days.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/** Of a payout that is stuck at a bank for half a day: what came before is in no operator's interest. */
const CONTINUE_AFTER_EVENTS = 300;

/**
 * One run stands for one payout or transfer from its creation to its end: the money has arrived, or is the
 * store's again. It is durable because the money was set aside when it was created: it must be sent once, or
 * given back, whatever crashes between the provider's answer and our books.
 *
 * Money that is on its way cannot be called back, so a cancellation that is asked for in the UI changes
 * nothing.
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
    setCurrentDetails(`On its way: the provider has been asked ${asked} times.`);
    await clock.pause(pauseMsAfter(asked), () => false, 'ask the provider again');
    if (isLong()) await continueAsNew<typeof payout>({ payoutId, asked });
  }

  upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`Is **${status}**.`);
  return status;
}

/** Twice as long each time. */
function pauseMsAfter(asked: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (asked - 1), LONGEST_PAUSE_MS);
}

function isLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || (historyLength > CONTINUE_AFTER_EVENTS && payoutsContinueSooner());
}
