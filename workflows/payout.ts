import {
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PayoutStatus } from '../src/domain/payout.ts';
import { transitions } from './activity-options.ts';
import { type PayoutInput, payoutStateQuery } from './payout.contract.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/**
 * A PIX takes seconds, so the first questions come soon; one that takes longer is stuck at a bank, for hours
 * or days.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15 * 60 * 1_000;

/**
 * One run stands for one payout or transfer from its creation to its end: the money has arrived, or is the
 * store's again. It is durable because the money was set aside when it was created: it must be sent once, or
 * given back, whatever crashes between the provider's answer and our books.
 */
export async function payout(input: PayoutInput): Promise<PayoutStatus> {
  const { payoutId } = input;
  let status: PayoutStatus = 'PENDING';
  let asked = 0;
  setHandler(payoutStateQuery, () => ({ status, asked }));

  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    asked += 1;
    status = await transitions.advancePayout({ payoutId, nowMs: Date.now() });
    if (status !== 'PENDING') break;
    setCurrentDetails(`On its way: the provider has been asked ${asked} times.`);
    await sleep(pauseMs, { summary: 'ask the provider again' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof payout>(input);
  }

  upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`Is **${status}**.`);
  return status;
}
