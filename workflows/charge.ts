import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { MarkedStatus } from '../activities/charges.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import {
  authorizeUpdate,
  CHARGE_FAILED,
  type ChargeInput,
  type ConfirmPaymentInput,
  cancelUpdate,
  chargeStateQuery,
  confirmDisputeUpdate,
  confirmPaymentUpdate,
  lookUpPaymentSignal,
  providerNewsSignal,
  refundUpdate,
  type SentBack,
} from './charge.contract.ts';
import { authorizations, collectionsIn, transitionsIn } from './lib/activity-options.ts';
import { shielded, withDomainCancellation } from './lib/cancellation.ts';
import { failedOutcome } from './lib/failed-outcome.ts';
import { askAgainIn, failureReasonIn, statusIn } from './lib/marked-status.ts';
import { Mutex } from './lib/mutex.ts';
import { PayerConfirmation } from './lib/payer-confirmation.ts';
import { PendingReversals } from './lib/pending-reversals.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/**
 * The update that opens a run arrives with its start. If the update was lost, its caller sends it again and opens
 * another run.
 */
const ASKED_WITHIN = '1 minute';

/**
 * One run handles one charge from its creation to its end. It ends as Completed if the charge is paid, expired or
 * cancelled, and as Failed with the reason if the charge failed. It is durable because a charge may wait a year for
 * its payer, and its expiry, payment and cancellation must each happen once despite crashes.
 *
 * The run starts with a delay: its first task runs when late charges begin or the charge closes, and a payment or a
 * cancellation wakes it earlier. An unpaid charge therefore costs one event. A card payment is the exception: its
 * first task authorizes it, and the run then waits only if the payer has to confirm the payment at their bank.
 *
 * Postgres decides every race by conditional updates; the run keeps the status that the last activity read there.
 * Later work opens a new run under the same id: a late payment that must be returned, a refund, an opened dispute,
 * a decided dispute.
 */
export async function charge(input: ChargeInput): Promise<ChargeStatus> {
  const { chargeId, lateFromMs, closesAtMs, reopens } = input;
  const mutex = new Mutex();
  const clock = new RunClock();
  const confirmation = new PayerConfirmation(clock);
  let isOver = false;
  let isWaiting = false;
  const transitions = transitionsIn(mutex);
  let status: ChargeStatus = 'PENDING';
  let failureReason: string | null = null;
  let hasReversed = false;
  const isOpen = () => status === 'PENDING';
  // Begins before any handler can. An issuer may need longer than a workflow task, and a replay then delivers updates
  // of later tasks together with the start. Their activities must still be the second ones.
  const firstDecision = input.authorizes ? shielded(decided)(mutex, input) : null;

  /**
   * The only place that changes the status, so that memory, search attribute and details agree. The status never
   * returns to PENDING: an activity that read PENDING may end after another one has closed the charge.
   */
  const moveTo = (answer: ChargeStatus | MarkedStatus) => {
    const next = statusIn(answer);
    if (next === status || next === 'PENDING') return;
    status = next;
    failureReason = failureReasonIn(answer);
    upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
    setCurrentDetails(`Charge is **${status}**.`);
  };

  /** Asks the provider about a payment, or requests a reversal. @returns when to ask again; null once it is known. */
  const sendBack = async (what: SentBack, unknownSinceMs: number | null) => {
    const transition = transitionOf(input);
    const answer = await ('refundId' in what
      ? transitions.refundCharge({ ...transition, ...what })
      : transitions.recordPayment({ ...transition, ...what, ...(unknownSinceMs && { unknownSinceMs }) }));
    moveTo(answer);
    return askAgainIn(answer);
  };
  const unfinished = new PendingReversals(clock, sendBack, input.unfinished ?? []);

  /** Records a refund or a dispute. Either one completes the work of the run that was opened for it. */
  const reverse = async (transition: () => Promise<void>) => {
    try {
      await transition();
      return status;
    } finally {
      hasReversed = true;
    }
  };

  setHandler(chargeStateQuery, () => ({ status, closesAt: new Date(closesAtMs).toISOString() }));
  const recordPayment = async ({ providerPaymentId }: ConfirmPaymentInput) => {
    // Providers notify a payment again when its refund has ended.
    unfinished.askNow();
    await unfinished.begin({ providerPaymentId });
    return status;
  };
  const cancel = async () => {
    moveTo(await transitions.cancelCharge(transitionOf(input)));
    return status;
  };
  setHandler(providerNewsSignal, () => {
    confirmation.takeNews();
    unfinished.takeNews();
  });
  setHandler(lookUpPaymentSignal, ({ providerPaymentId }) => unfinished.lookUpNow({ providerPaymentId }));
  setHandler(confirmPaymentUpdate, shielded(recordPayment));
  setHandler(cancelUpdate, shielded(cancel));
  setHandler(
    authorizeUpdate,
    shielded(async () => {
      await condition(() => !isOpen() || confirmation.isAwaited);
      return status;
    }),
  );
  setHandler(
    refundUpdate,
    shielded(({ refundId }) => reverse(() => unfinished.begin({ refundId }))),
  );
  setHandler(
    confirmDisputeUpdate,
    shielded(({ providerDisputeId }) =>
      reverse(async () =>
        moveTo(await transitions.recordDispute({ chargeId, providerDisputeId, ...moment() })),
      ),
    ),
  );

  const waitForItsEnd = async () => {
    if (firstDecision !== null) {
      const ask = () => collectionsIn(mutex).authorizeCharge(transitionOf(input));
      const decision = await confirmation.decided(await firstDecision, ask, isOpen);
      if (decision !== null) moveTo(decision);
    }
    const sooner = () => !isOpen() || unfinished.isLeaving;
    isWaiting = true;
    if (lateFromMs !== null) {
      await clock.waitUntil(lateFromMs, sooner, 'late charges begin');
      if (!sooner()) setCurrentDetails('Past its due date, with fine and interest. Still payable.');
    }
    await clock.waitUntil(closesAtMs, sooner, 'charge closes');
    isWaiting = false;
    if (!sooner()) moveTo(await transitions.expireCharge(transitionOf(input)));
  };

  return withDomainCancellation(async () => {
    const asked = unfinished.untilDone({
      isOver: () => isOver && allHandlersFinished(),
      mayLeave: () => isWaiting && isOpen() && allHandlersFinished(),
    });
    if (!reopens) await waitForItsEnd();
    else if (input.unfinished) hasReversed = true;
    else await condition(() => hasReversed, ASKED_WITHIN, { summary: 'nothing is asked' });
    if (unfinished.isLeaving)
      await continueAsNew<typeof charge>({ ...waiting(input), unfinished: await asked });
    isOver = true;
    const left = await asked;
    if (left.length > 0) await continueAsNew<typeof charge>({ ...reopening(input), unfinished: left });
    if (status === 'FAILED')
      throw failedOutcome(`The payment failed: ${failureReason}`, CHARGE_FAILED, failureReason);
    return status;
  }, cancel);
}

/** How a run continues that only waits for the result of reversals. */
function reopening({ chargeId, closesAtMs }: ChargeInput): ChargeInput {
  return { chargeId, lateFromMs: null, closesAtMs, reopens: true };
}

/** How a run continues that waits for its payer. The previous run has already decided a card. */
function waiting({ authorizes, collects, ...input }: ChargeInput): ChargeInput {
  return input;
}

/** The input that all transitions share. */
function transitionOf({ chargeId }: ChargeInput) {
  return { chargeId, ...moment() };
}

/** @returns the status after the issuer's first answer, or after the payment was given up because its payer has left. */
function decided(mutex: Mutex, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  if (input.collects) return collectionsIn(mutex).authorizeCharge(transitionOf(input));
  return authorized(mutex, input);
}

/**
 * @returns the status after the issuer's answer. A payment is given up if no answer came, or if the run began too
 *   late for its payer.
 */
async function authorized(mutex: Mutex, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  const transitions = transitionsIn(mutex);
  const transition = transitionOf(input);
  if (transition.nowMs >= input.closesAtMs) return transitions.failCharge(transition);
  try {
    return await mutex.take(() => authorizations.authorizeCharge(transition));
  } catch (error) {
    // A timeout is an ActivityFailure. An error that the local activity itself throws is not wrapped.
    if (!(error instanceof TemporalFailure)) throw error;
    return transitions.failCharge(transitionOf(input));
  }
}
