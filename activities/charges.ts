import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, RefundId } from '../src/domain/ids.ts';
import { askIssuer } from './ask-issuer.ts';
import { type Closing, closeCharge } from './close-charge.ts';
import type { ActivityDeps } from './deps.ts';
import { failCharge } from './fail-charge.ts';
import { loadCharge } from './load-charge.ts';
import { recordDispute } from './record-dispute.ts';
import { refundCharge } from './refund-charge.ts';
import { followUpAgain, settlePayment } from './settle-payment.ts';

interface Transition {
  readonly chargeId: ChargeId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The transitions of a charge. Each answers with the status that Postgres holds afterwards. */
export function createChargeActivities(deps: ActivityDeps) {
  return {
    /**
     * Records the payment a provider notified: the first one of an open charge is accepted, with its event and its
     * deliveries in one transaction; any other goes back to its payer in full (contract section 4).
     */
    async recordPayment(input: Transition & { readonly providerPaymentId: string }): Promise<ChargeStatus> {
      const { em, charge, provider } = await loadCharge(deps, input.chargeId);
      const payment = await provider.findPayment(input.providerPaymentId);
      if (payment === null || payment.reference !== charge.providerReference) {
        deps.log.warn(
          { chargeId: charge.id },
          'a notification named a payment that the provider does not know of this charge',
        );
        return charge.status;
      }
      return settlePayment(deps, em, charge, provider, payment, new Date(input.nowMs));
    },

    /** Decides a card payment, or one of nothing, here and now. The charge has ended when this returns. */
    async authorizeCharge(input: Transition): Promise<ChargeStatus> {
      const { em, charge, provider } = await loadCharge(deps, input.chargeId);
      const now = new Date(input.nowMs);
      // One that is PAID goes through again: an earlier run may have died before what follows an acceptance.
      if (charge.status !== 'PENDING' && charge.status !== 'PAID') return charge.status;
      if (charge.method === 'FREE') {
        const status = await settlePayment(deps, em, charge, provider, null, now);
        return status === 'PENDING' ? closeCharge(em, charge.id, { status: 'CANCELLED' }, now) : status;
      }
      return askIssuer(deps, em, charge, provider, now);
    },

    /** Gives up a card payment that no answer could be had for; one that was approved all the same is found and accepted. */
    failCharge: (input: Transition) =>
      close(deps, input, { status: 'FAILED', failureReason: 'processing_error' }),

    /**
     * Ends a charge whose deadline has come. The provider is told first and has the last word: a payment made in time
     * whose notification got lost is found here.
     */
    expireCharge: (input: Transition) => close(deps, input, { status: 'EXPIRED' }),

    /** Ends a charge that its integrator no longer wants, unless its payer was first. */
    cancelCharge: (input: Transition) => close(deps, input, { status: 'CANCELLED' }),

    /** Sends a payment back to its payer, or finds that it cannot be; the refund's row says which. */
    refundCharge: (input: Transition & { readonly refundId: RefundId }) =>
      refundCharge(deps, input.chargeId, input.refundId, new Date(input.nowMs)),

    /** Follows what the provider knows of a dispute: opened, and decided for the store or the payer. */
    recordDispute: (input: Transition & { readonly providerDisputeId: string }) =>
      recordDispute(deps, input.chargeId, input.providerDisputeId, new Date(input.nowMs)),
  };
}

async function close(deps: ActivityDeps, input: Transition, closing: Closing): Promise<ChargeStatus> {
  const { em, charge, provider } = await loadCharge(deps, input.chargeId);
  if (charge.status === 'PAID') return followUpAgain(deps, em, charge);
  if (charge.status !== 'PENDING') return charge.status;
  const now = new Date(input.nowMs);
  // Nothing to pay means that no provider knows of it.
  const payment = charge.method === 'FREE' ? null : await provider.close(charge.providerReference);
  if (payment !== null) {
    const status = await settlePayment(deps, em, charge, provider, payment, now);
    if (status !== 'PENDING') return status;
    // Too little or too late: the money went back, and the charge ends as it was going to.
  }
  if (closing.status === 'FAILED') return failCharge(deps, em, charge, closing.failureReason, now);
  return closeCharge(em, charge.id, closing, now);
}
