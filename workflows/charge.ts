import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { MarkedStatus } from '../activities/charges/activities.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import { authorizations, collectionsIn, transitionsIn } from './activity-options.ts';
import { shielded, withDomainCancellation } from './cancellation.ts';
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
import { failedOutcome } from './failed-outcome.ts';
import { askAgainIn, failureReasonIn, statusIn } from './marked-status.ts';
import { Mutex } from './mutex.ts';
import { PendingReversals } from './pending-reversals.ts';
import { moment, RunClock } from './run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/** What opens a run comes with its start; one that was lost is asked for again, and opens another run. */
const ASKED_WITHIN = '1 minute';

/**
 * One run stands for one charge from its creation to its end: paid, expired or cancelled, which is Completed, or
 * failed, which is Failed with the reason. It is durable because a charge may wait a year for its payer, and its
 * expiry, its payment and its cancellation must each happen once whatever crashes meanwhile.
 *
 * The run is started asleep: its first task is due only when there is something to do (late charges begin, or
 * the charge closes), and a payment or a cancellation wakes it. An unpaid charge therefore costs one event. A
 * card payment is the exception: it is authorized in the first task.
 *
 * Postgres decides every race by conditional updates; the run keeps the status that the last activity read
 * there. What comes after the end opens a new run under the same id: a payment that came too late, which is
 * returned; a refund; a dispute that is opened, and another run for the one that is decided.
 */
export async function charge(input: ChargeInput): Promise<ChargeStatus> {
  const { chargeId, lateFromMs, closesAtMs, reopens, endsUnasked, failsWithReason } = input;
  const mutex = new Mutex();
  const clock = new RunClock();
  let isOver = false;
  let isWaiting = false;
  const transitions = transitionsIn(mutex);
  let status: ChargeStatus = 'PENDING';
  let failureReason: string | null = null;
  let hasReversed = false;
  const isOpen = () => status === 'PENDING';

  /**
   * The only place where the status changes, so that memory, search attribute and details move together.
   * Nothing leads back to PENDING: an activity that read it may end after another one that has closed the
   * charge meanwhile.
   */
  const moveTo = (answer: ChargeStatus | MarkedStatus) => {
    const next = statusIn(answer);
    if (next === status || next === 'PENDING') return;
    status = next;
    failureReason = failureReasonIn(answer);
    upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
    setCurrentDetails(`Charge is **${status}**.`);
  };

  /** Asks the provider for a payment, or to send money back. @returns when to ask again; null once it is known. */
  const sendBack = async (what: SentBack, unknownSinceMs: number | null) => {
    const transition = { ...transitionOf(input), asksAgain: true as const };
    const answer = await ('refundId' in what
      ? transitions.refundCharge({ ...transition, ...what })
      : transitions.recordPayment({ ...transition, ...what, ...(unknownSinceMs && { unknownSinceMs }) }));
    moveTo(answer);
    return askAgainIn(answer);
  };
  const unfinished = new PendingReversals(clock, sendBack, input.unfinished ?? []);

  /** A refund or a dispute: either way the run that was opened for it has done its work. */
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
    // A provider tells of a payment again when a refund of it has ended.
    unfinished.askNow();
    await unfinished.begin({ providerPaymentId });
    return status;
  };
  const cancel = async () => {
    moveTo(await transitions.cancelCharge(transitionOf(input)));
    return status;
  };
  setHandler(providerNewsSignal, () => unfinished.takeNews());
  setHandler(lookUpPaymentSignal, ({ providerPaymentId }) => unfinished.lookUpNow({ providerPaymentId }));
  setHandler(confirmPaymentUpdate, shielded(recordPayment));
  setHandler(cancelUpdate, shielded(cancel));
  setHandler(
    authorizeUpdate,
    shielded(async () => {
      await condition(() => !isOpen());
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
    if (input.authorizes) moveTo(await decided(mutex, input));
    const sooner = () => !isOpen() || unfinished.isLeaving;
    isWaiting = true;
    if (lateFromMs !== null) {
      await clock.waitUntil(lateFromMs, sooner, 'late charges begin');
      if (!sooner()) setCurrentDetails('Past its due date: fine and interest are added. Still payable.');
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
    else if (endsUnasked) await condition(() => hasReversed, ASKED_WITHIN, { summary: 'nothing is asked' });
    else await condition(() => hasReversed);
    if (unfinished.isLeaving)
      await continueAsNew<typeof charge>({ ...waiting(input), unfinished: await asked });
    isOver = true;
    const left = await asked;
    if (left.length > 0) await continueAsNew<typeof charge>({ ...reopening(input), unfinished: left });
    if (failsWithReason && status === 'FAILED')
      throw failedOutcome(`The payment failed: ${failureReason}`, CHARGE_FAILED, failureReason);
    return status;
  }, cancel);
}

/** How a run goes on that has only to learn what became of money that was sent back. */
function reopening({ chargeId, closesAtMs, failsWithReason }: ChargeInput): ChargeInput {
  const reopened = { chargeId, lateFromMs: null, closesAtMs, reopens: true, endsUnasked: true };
  return { ...reopened, ...(failsWithReason && { failsWithReason }) };
}

/** How a run goes on that waits for its payer: a card was decided by the run before. */
function waiting({ authorizes, collects, ...input }: ChargeInput): ChargeInput {
  return input;
}

/** What every transition is asked for with. */
function transitionOf({ chargeId, failsWithReason }: ChargeInput) {
  return { chargeId, ...moment(), ...(failsWithReason && { tellsReason: true as const }) };
}

/** The status after the issuer's answer, or after a payment whose payer has gone was given up. */
function decided(mutex: Mutex, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  if (input.collects) return collectionsIn(mutex).authorizeCharge(transitionOf(input));
  return authorized(mutex, input);
}

/**
 * The status after the issuer's answer, or after the payment was given up: for want of an answer, or because
 * the run began too late for a payer who has long gone.
 */
async function authorized(mutex: Mutex, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  const transitions = transitionsIn(mutex);
  const transition = transitionOf(input);
  if (transition.nowMs >= input.closesAtMs) return transitions.failCharge(transition);
  try {
    return await mutex.take(() => authorizations.authorizeCharge(transition));
  } catch (error) {
    // A timeout comes as an ActivityFailure, but what a local activity itself throws comes as it is.
    if (!(error instanceof TemporalFailure)) throw error;
    return transitions.failCharge(transitionOf(input));
  }
}
