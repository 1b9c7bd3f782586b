import { METHODS } from '../../src/charges/methods/index.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Em } from '../../src/database/orm.ts';
import { type ChargeStatus, type FailureReason, wasPaid } from '../../src/domain/charge.ts';
import type { ChargeId, RefundId, SubscriptionId } from '../../src/domain/ids.ts';
import { acceptOrReturn, followUpAgain } from '../acceptance/accept-or-return.ts';
import type { ActivityDeps } from '../deps.ts';
import { askIssuer } from './ask-issuer.ts';
import { followBankRefunds, followRefundOfBank } from './bank-refund.ts';
import { close } from './close.ts';
import { type Closing, closeCharge } from './close-charge.ts';
import { type Loaded, loadCharge } from './load-charge.ts';
import { followDispute, recordDispute } from './record-dispute.ts';
import { refundCharge } from './refund-charge.ts';
import { lookUpAgainOrAskAPerson, type NamedPayment } from './unfound-payment.ts';

/** A bank's look-up mostly lags a second or two behind its notification; the run doubles the pause each time. */
const LOOK_UP_AGAIN_MS = 2_000;

interface Transition {
  readonly chargeId: ChargeId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether the answer is to say why a charge FAILED; a run of a release before takes a status alone. */
  readonly tellsReason?: true;
  /** Whether the run asks again where the provider has not finished; one of a release before does not. */
  readonly asksAgain?: true;
}

/** A charge's status, and what is said with it. */
export interface MarkedStatus {
  readonly status: ChargeStatus;
  /** Something needs a person: the run is marked for whoever looks for those. */
  readonly needsAttention?: true;
  readonly failureReason?: FailureReason;
  /** The provider has not finished what it was asked for: the same is asked again after this time. */
  readonly askAgainMs?: number;
  /** Set beside `askAgainMs` where the provider does not know the notified payment yet. */
  readonly isPaymentUnknown?: true;
}

/** The transitions of a charge. Each answers with the status that Postgres holds afterwards. */
export function createChargeActivities(deps: ActivityDeps) {
  /**
   * A transition that may end the charge: where it is an attempt at a cycle, the subscription is told before
   * the answer is given.
   */
  const ending =
    <Input extends Transition>(
      transition: (deps: ActivityDeps, loaded: Loaded, input: Input) => Promise<ChargeStatus>,
    ) =>
    async (input: Input): Promise<ChargeStatus | MarkedStatus> => {
      const said = new ActivityResult(deps, input);
      const loaded = await loadCharge(deps, input.chargeId);
      const status = await transition(said.deps, loaded, input);
      await notifySubscription(deps, loaded.em, loaded.charge, status);
      if (status === 'FAILED' && input.tellsReason)
        said.failureReason = await reasonOf(loaded.em, input.chargeId);
      return said.with(status);
    };

  return {
    /**
     * Records the payment a provider notified: the first one of an open charge is accepted, with its event
     * and its deliveries in one transaction; any other goes back to its payer in full (contract section 4). What the
     * payer's bank takes back of it is followed as a dispute, should the notification of that be lost. A payment that
     * the provider does not know yet is looked up again by the run, and after a while by the rounds of listing: "not
     * found" is never final.
     */
    recordPayment: ending((deps, loaded, input: Transition & NamedPayment) =>
      recordPayment(deps, loaded, input, new Date(input.nowMs)),
    ),

    /** Decides a card payment, or one of nothing, here and now. The charge has ended when this returns. */
    authorizeCharge: ending((deps, loaded, { nowMs }: Transition) =>
      authorize(deps, loaded, new Date(nowMs)),
    ),

    /**
     * Gives up a card payment that no answer could be had for, or an attempt whose own run somebody has
     * terminated; one that was paid all the same is found and accepted.
     */
    failCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, failureOf(loaded.charge), new Date(nowMs)),
    ),

    /**
     * Ends a charge whose deadline has come. The provider is told first and has the last word: a payment made
     * in time whose notification got lost is found here.
     */
    expireCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, expiryOf(loaded.charge), new Date(nowMs)),
    ),

    /** Ends a charge that its integrator no longer wants, unless its payer was first. */
    cancelCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, { status: 'CANCELLED' }, new Date(nowMs)),
    ),

    /** Sends a payment back to its payer, or finds that it cannot be; the refund's row says which. */
    refundCharge: async (input: Transition & { readonly refundId: RefundId }) => {
      const said = new ActivityResult(deps, input);
      const { chargeId, refundId, nowMs } = input;
      const now = new Date(nowMs);
      const followed = await followRefundOfBank(said.deps, chargeId, refundId, now);
      return said.with(followed ?? (await refundCharge(said.deps, chargeId, refundId, now)));
    },

    /** Follows what the provider knows of a dispute: opened, and decided for the store or the payer. */
    recordDispute: (input: Transition & { readonly providerDisputeId: string }) =>
      recordDispute(deps, input.chargeId, input.providerDisputeId, new Date(input.nowMs)),
  };
}

/** What a transition says beside the status, while it runs and after it. */
class ActivityResult {
  readonly deps: ActivityDeps;
  failureReason: FailureReason | null = null;
  #needsAttention: boolean = false;
  #askAgainMs: number | null = null;
  #isPaymentUnknown: boolean = false;

  constructor(deps: ActivityDeps, { asksAgain }: Transition) {
    const markRun = () => {
      this.#needsAttention = true;
    };
    const askAgain = (afterMs: number) => {
      this.#askAgainMs = afterMs;
    };
    const lookUpAgain = () => {
      this.#askAgainMs = LOOK_UP_AGAIN_MS;
      this.#isPaymentUnknown = true;
    };
    this.deps = { ...deps, markRun, ...(asksAgain && { askAgain, lookUpAgain }) };
  }

  /** The status alone where nothing was said: a run of a release before knows nothing else. */
  with(status: ChargeStatus): ChargeStatus | MarkedStatus {
    const said = {
      ...(this.#askAgainMs !== null && { askAgainMs: this.#askAgainMs }),
      ...(this.#isPaymentUnknown && { isPaymentUnknown: true as const }),
      ...(this.#needsAttention && { needsAttention: true as const }),
      ...(this.failureReason !== null && { failureReason: this.failureReason }),
    };
    return Object.keys(said).length === 0 ? status : { status, ...said };
  }
}

async function reasonOf(em: Em, id: ChargeId): Promise<FailureReason | null> {
  const failed = await em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
  return failed.failureReason;
}

/**
 * Tells the subscription, whose workflow waits for it, that an attempt at a cycle has ended. Told twice it is
 * told once.
 */
async function notifySubscription(
  deps: ActivityDeps,
  em: Em,
  { id, cycleId }: Charge,
  status: ChargeStatus,
): Promise<void> {
  if (cycleId === null || status === 'PENDING') return;
  const [cycle] = await em.execute<{ subscription_id: SubscriptionId }[]>(
    'select subscription_id from installments where id = :cycleId',
    { cycleId },
  );
  if (cycle === undefined) throw new Error(`${id} names a cycle that is not there`);
  await deps.notifySubscription(cycle.subscription_id, { chargeId: id, status });
}

/**
 * A PIX code of a subscription's cycle that nobody paid is a failed attempt (contract section 6), and reads
 * so everywhere.
 */
function expiryOf({ cycleId }: Loaded['charge']): Closing {
  return cycleId === null ? { status: 'EXPIRED' } : { status: 'FAILED', failureReason: 'pix_expired' };
}

function failureOf({ method }: Loaded['charge']): Closing {
  return { status: 'FAILED', failureReason: METHODS[method].givenUpAs };
}

async function recordPayment(
  deps: ActivityDeps,
  { em, charge, provider }: Loaded,
  named: NamedPayment,
  now: Date,
): Promise<ChargeStatus> {
  const payment = await provider.findPayment(named.providerPaymentId);
  if (payment === null || payment.reference !== charge.providerReference) {
    const found = payment === null ? 'not found at the provider yet' : 'belongs to another charge there';
    deps.log.warn({ chargeId: charge.id }, `notified payment ${found}`);
    await lookUpAgainOrAskAPerson(deps, charge, named, now);
    return charge.status;
  }
  let status = await acceptOrReturn(deps, em, charge, provider, payment, now);
  const findPayment = async () => payment;
  for (const dispute of payment.disputes ?? [])
    status = await followDispute(deps, em, charge, dispute, findPayment, now);
  if ((payment.refunds ?? []).length > 0) status = await followBankRefunds(deps, em, charge, payment, now);
  return status;
}

async function authorize(deps: ActivityDeps, loaded: Loaded, now: Date): Promise<ChargeStatus> {
  const { em, charge, provider } = loaded;
  // An earlier run may have died before what follows an acceptance, which may have been refunded since.
  if (wasPaid(charge.status)) return followUpAgain(deps, em, charge);
  if (charge.status !== 'PENDING') return charge.status;
  if (METHODS[charge.method].decidedBy === 'NOBODY') {
    const status = await acceptOrReturn(deps, em, charge, provider, null, now);
    return status === 'PENDING' ? closeCharge(em, charge.id, { status: 'CANCELLED' }, now) : status;
  }
  return askIssuer(deps, loaded, now);
}
