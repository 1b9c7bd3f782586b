import {
  allHandlersFinished,
  condition,
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
  refundUpdate,
} from './charge.contract.ts';
import { failedOutcome } from './failed-outcome.ts';
import { failureReasonIn, statusIn } from './marked-status.ts';
import { moment, RunClock } from './run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import { Turns } from './turns.ts';

/** What opens a run comes with its start; one that was lost is asked for again, and opens another run. */
const ASKED_WITHIN = '1 minute';

/**
 * One run stands for one charge from its creation to its end: paid, expired or cancelled, which is Completed, or
 * failed, which is Failed with the reason. It is
 * durable because a charge may wait a year for its payer, and its expiry, its payment and its cancellation
 * must each happen once whatever crashes meanwhile.
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
  const turns = new Turns();
  const clock = new RunClock();
  const transitions = transitionsIn(turns);
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

  /** A refund or a dispute: either way the run that was opened for it has done its work. */
  const reverse = async (transition: () => Promise<ChargeStatus>) => {
    try {
      moveTo(await transition());
      return status;
    } finally {
      hasReversed = true;
    }
  };

  setHandler(chargeStateQuery, () => ({ status, closesAt: new Date(closesAtMs).toISOString() }));
  const recordPayment = async ({ providerPaymentId }: ConfirmPaymentInput) => {
    moveTo(await transitions.recordPayment({ providerPaymentId, ...transitionOf(input) }));
    return status;
  };
  const cancel = async () => {
    moveTo(await transitions.cancelCharge(transitionOf(input)));
    return status;
  };
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
    shielded(({ refundId }) => reverse(() => transitions.refundCharge({ chargeId, refundId, ...moment() }))),
  );
  setHandler(
    confirmDisputeUpdate,
    shielded(({ providerDisputeId }) =>
      reverse(() => transitions.recordDispute({ chargeId, providerDisputeId, ...moment() })),
    ),
  );

  const waitForItsEnd = async () => {
    if (input.authorizes) moveTo(await decided(turns, input));
    if (lateFromMs !== null) {
      await clock.waitUntil(lateFromMs, () => !isOpen(), 'late charges begin');
      if (isOpen()) setCurrentDetails('Past its due date: fine and interest are added. Still payable.');
    }
    await clock.waitUntil(closesAtMs, () => !isOpen(), 'charge closes');
    if (isOpen()) moveTo(await transitions.expireCharge(transitionOf(input)));
  };

  return withDomainCancellation(async () => {
    if (!reopens) await waitForItsEnd();
    else if (endsUnasked) await condition(() => hasReversed, ASKED_WITHIN, { summary: 'nothing is asked' });
    else await condition(() => hasReversed);
    await condition(allHandlersFinished);
    if (failsWithReason && status === 'FAILED')
      throw failedOutcome(`The payment failed: ${failureReason}`, CHARGE_FAILED, failureReason);
    return status;
  }, cancel);
}

/** What every transition is asked for with. */
function transitionOf({ chargeId, failsWithReason }: ChargeInput) {
  return { chargeId, ...moment(), ...(failsWithReason && { tellsReason: true as const }) };
}

/** The status after the issuer's answer, or after a payment whose payer has gone was given up. */
function decided(turns: Turns, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  if (input.collects) return collectionsIn(turns).authorizeCharge(transitionOf(input));
  return authorized(turns, input);
}

/**
 * The status after the issuer's answer, or after the payment was given up: for want of an answer, or because
 * the run began too late for a payer who has long gone.
 */
async function authorized(turns: Turns, input: ChargeInput): Promise<ChargeStatus | MarkedStatus> {
  const transitions = transitionsIn(turns);
  const transition = transitionOf(input);
  if (transition.nowMs >= input.closesAtMs) return transitions.failCharge(transition);
  try {
    return await turns.take(() => authorizations.authorizeCharge(transition));
  } catch (error) {
    // A timeout comes as an ActivityFailure, but what a local activity itself throws comes as it is.
    if (!(error instanceof TemporalFailure)) throw error;
    return transitions.failCharge(transitionOf(input));
  }
}
