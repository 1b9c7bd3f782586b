import { ApplicationFailure } from '@temporalio/common';
import { ChargeEntity } from '../src/database/charge.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId } from '../src/domain/ids.ts';
import { providerOf } from '../src/providers/provider.ts';
import { askIssuer } from './ask-issuer.ts';
import { type Closing, closeCharge, noCharge } from './close-charge.ts';
import type { ActivityDeps } from './deps.ts';
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
      const { em, charge, provider } = await load(deps, input.chargeId);
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
      const { em, charge, provider } = await load(deps, input.chargeId);
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
  };
}

async function load(deps: ActivityDeps, chargeId: ChargeId) {
  const em = deps.database.em.fork();
  const charge = await em.findOne(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  if (charge === null) throw noCharge(chargeId);
  const provider = providerOf(deps.providers, charge.devMode);
  // Retryable: a worker that lacks the provider's settings must not decide for those that have them.
  if (provider === null) throw ApplicationFailure.retryable(`No payment provider configured`, 'NO_PROVIDER');
  return { em, charge, provider };
}

async function close(deps: ActivityDeps, input: Transition, closing: Closing): Promise<ChargeStatus> {
  const { em, charge, provider } = await load(deps, input.chargeId);
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
  return closeCharge(em, charge.id, closing, now);
}
