import { authorizeCharge } from '../src/charges/authorize-charge.ts';
import { close } from '../src/charges/closing/close.ts';
import { closingAtDeadline, closingWhenGivenUp } from '../src/charges/closing/close-charge.ts';
import { recordDispute } from '../src/charges/disputes/record-dispute.ts';
import type { ChargeDeps } from '../src/charges/effects.ts';
import { failureReasonOf, type Loaded, loadCharge } from '../src/charges/load-charge.ts';
import type { NamedPayment } from '../src/charges/look-up-again.ts';
import { notifySubscription } from '../src/charges/notify-subscription.ts';
import { recordPayment } from '../src/charges/record-payment.ts';
import { followRefundOfBank } from '../src/charges/refunds/bank-refund.ts';
import { refundCharge } from '../src/charges/refunds/refund-charge.ts';
import type { ChargeStatus, FailureReason } from '../src/domain/charge.ts';
import type { ChargeId, RefundId } from '../src/domain/ids.ts';

/** A bank's look-up usually lags a second or two behind its notification. The run doubles the pause each time. */
const LOOK_UP_AGAIN_MS = 2_000;

interface Transition {
  readonly chargeId: ChargeId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** When to ask again whether the payer has confirmed, and until when they can, in milliseconds since 1970. */
export interface PayerConfirms {
  readonly askAgainMs: number;
  readonly untilMs: number;
}

/** A charge's status with remarks. */
export interface MarkedStatus {
  readonly status: ChargeStatus;
  /** Something needs a person: the run sets its search attribute `NeedsAttention`. */
  readonly needsAttention?: true;
  readonly failureReason?: FailureReason;
  /** The provider has not finished: the run asks again after this time. */
  readonly askAgainMs?: number;
  /** Set while the payer confirms a card payment at their bank. */
  readonly payerConfirms?: PayerConfirms;
  /** Set with `askAgainMs` if the provider does not know the notified payment yet. */
  readonly isPaymentUnknown?: true;
}

/** The transitions of a charge. Each returns the status that Postgres holds afterwards. */
export function createChargeActivities(deps: ChargeDeps) {
  /**
   * A transition that may end the charge. If the charge is an attempt at a cycle, the subscription is notified
   * before the activity returns.
   * @param isPolled whether the run asks again if the provider has not finished.
   */
  const ending =
    <Input extends Transition>(
      transition: (deps: ChargeDeps, loaded: Loaded, input: Input) => Promise<ChargeStatus>,
      isPolled = false,
    ) =>
    async (input: Input): Promise<ChargeStatus | MarkedStatus> => {
      const result = new ActivityResult(deps, isPolled);
      const loaded = await loadCharge(deps, input.chargeId, new Date(input.nowMs));
      const status = await transition(result.deps, loaded, input);
      await notifySubscription(deps, loaded, status);
      if (status === 'FAILED') result.failureReason = await failureReasonOf(loaded.em, input.chargeId);
      return result.with(status);
    };

  return {
    /**
     * Records a payment that a provider notified. The first payment of an open charge is accepted, with its event
     * and its deliveries in one transaction. Any other is returned in full (contract section 4). If the payer's
     * bank takes money back and its notification is lost, the dispute is recorded here. The run looks up an unknown
     * payment again, and later the reconciliation does: "not found" is never final.
     */
    recordPayment: ending(
      (deps, loaded, input: Transition & NamedPayment) =>
        recordPayment(deps, loaded, input, new Date(input.nowMs)),
      true,
    ),

    /**
     * Decides a card payment, or a payment of nothing, at once. The charge has ended when this returns, unless its payer
     * has to confirm the payment: the run then asks again.
     */
    authorizeCharge: ending((deps, loaded, { nowMs }: Transition) =>
      authorizeCharge(deps, loaded, new Date(nowMs)),
    ),

    /**
     * Gives up a card payment without an answer, or an attempt whose run was terminated. If it was paid, the
     * payment is found and accepted.
     */
    failCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, closingWhenGivenUp(loaded.charge), new Date(nowMs)),
    ),

    /**
     * Ends a charge at its deadline. The provider is asked first and its answer wins: a payment made in time is
     * accepted even if its notification was lost.
     */
    expireCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, closingAtDeadline(loaded.charge), new Date(nowMs)),
    ),

    /** Cancels a charge for its integrator, unless its payer was first. */
    cancelCharge: ending((deps, loaded, { nowMs }: Transition) =>
      close(deps, loaded, { status: 'CANCELLED' }, new Date(nowMs)),
    ),

    /** Refunds a payment, or finds that it cannot be refunded; the refund's row has the result. */
    refundCharge: async (input: Transition & { readonly refundId: RefundId }) => {
      const result = new ActivityResult(deps, true);
      const { chargeId, refundId, nowMs } = input;
      const now = new Date(nowMs);
      const followed = await followRefundOfBank(result.deps, chargeId, refundId, now);
      return result.with(followed ?? (await refundCharge(result.deps, chargeId, refundId, now)));
    },

    /** Records what the provider knows of a dispute: opened, or decided for the store or the payer. */
    recordDispute: (input: Transition & { readonly providerDisputeId: string }) =>
      recordDispute(deps, input.chargeId, input.providerDisputeId, new Date(input.nowMs)),
  };
}

/** Collects the remarks of a transition beside its status. */
class ActivityResult {
  readonly deps: ChargeDeps;
  failureReason: FailureReason | null = null;
  #needsAttention: boolean = false;
  #askAgainMs: number | null = null;
  #isPaymentUnknown: boolean = false;
  #payerConfirms: PayerConfirms | null = null;

  /** @param isPolled whether the run asks again if the provider has not finished; else the activity is retried. */
  constructor(deps: ChargeDeps, isPolled: boolean) {
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
    const awaitPayer = (askAgainMs: number, until: Date) => {
      this.#payerConfirms = { askAgainMs, untilMs: until.getTime() };
    };
    this.deps = { ...deps, markRun, awaitPayer, ...(isPolled && { askAgain, lookUpAgain }) };
  }

  /** The status alone if there are no remarks: most transitions have none, and histories stay small. */
  with(status: ChargeStatus): ChargeStatus | MarkedStatus {
    const remarks = {
      ...(this.#askAgainMs !== null && { askAgainMs: this.#askAgainMs }),
      ...(this.#payerConfirms !== null && { payerConfirms: this.#payerConfirms }),
      ...(this.#isPaymentUnknown && { isPaymentUnknown: true as const }),
      ...(this.#needsAttention && { needsAttention: true as const }),
      ...(this.failureReason !== null && { failureReason: this.failureReason }),
    };
    return Object.keys(remarks).length === 0 ? status : { status, ...remarks };
  }
}
