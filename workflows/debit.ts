import { continueAsNew, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { DebitStatus } from '../src/domain/debit.ts';
import type { DebitStep } from '../src/mandates/advance-debit.ts';
import { type DebitInput, debitNewsSignal, debitStateQuery } from './debit.contract.ts';
import { debitsIn } from './lib/activity-options.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { isHistoryLong } from './lib/long-history.ts';
import { Mutex } from './lib/mutex.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** A step that is due at once again has found the provider undecided. */
const SHORTEST_WAIT_MS = 60_000;

/** Weeks of look-ups. No operator needs the earlier events. */
const CONTINUE_AFTER_EVENTS = 300;

/** What the run waits for, in the words of its details in the Temporal UI. */
const WAITS_FOR: Readonly<Record<DebitStatus, string>> = {
  PLANNED: 'The provider takes the order again',
  ORDERED: "The payer's bank debits from",
  BEGUN: 'The outcome is looked up',
  DROPPING: 'Its cancellation is asked for again',
  PAID: '',
  FAILED: '',
  REFUSED: '',
  DROPPED: '',
};

/**
 * The debit of one cycle under a mandate: it is ordered, falls due and opens its cycle, and is paid or not, with attempts on other dates.
 * It is durable because a week lies between order and debit, and because one cycle must never be collected twice. Its row decides
 * every step: somebody may drop the debit until the due date begins.
 */
export function debit(input: DebitInput): Promise<DebitStatus> {
  return withDomainCancellation(() => advanced(input));
}

async function advanced({ debitId }: DebitInput): Promise<DebitStatus> {
  const clock = new RunClock();
  const debits = debitsIn(new Mutex());
  let step: DebitStep = { status: 'PLANNED', nextAtMs: null };
  let news = 0;
  setHandler(debitStateQuery, () => step);
  setHandler(debitNewsSignal, () => {
    news += 1;
  });

  for (;;) {
    const seen = { news, moves: clock.moves };
    step = await debits.advanceDebit({ debitId, ...moment() });
    if (step.nextAtMs === null) break;
    const nextAtMs = Math.max(step.nextAtMs, Date.now() + SHORTEST_WAIT_MS);
    setCurrentDetails(`${WAITS_FOR[step.status]} **${new Date(nextAtMs).toISOString()}**.`);
    // The row may be due earlier than this run knows: a store's clock that stops here says so.
    const hasNews = () => news > seen.news || clock.moves > seen.moves;
    await clock.waitUntil(nextAtMs, hasNews, `debit is ${step.status}`);
    if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await continueAsNew<typeof debit>({ debitId });
  }

  upsertSearchAttributes([{ key: searchAttribute.status, value: step.status }]);
  setCurrentDetails(`Debit is **${step.status}**.`);
  return step.status;
}
