import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../src/database/charge.ts';
import type { Em } from '../src/database/orm.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId } from '../src/domain/ids.ts';
import { type PaymentProvider, type ProviderPayment, providerOf } from '../src/providers/provider.ts';
import { acceptPayment } from './accept-payment.ts';
import type { ActivityDeps } from './deps.ts';
import { returnPayment } from './return-payment.ts';

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
      return settle(deps, em, charge, provider, payment, new Date(input.nowMs));
    },

    /**
     * Ends a charge whose deadline has come. The provider is told first and has the last word: a payment made in time
     * whose notification got lost is found here.
     */
    expireCharge: (input: Transition) => close(deps, input, 'EXPIRED'),

    /** Ends a charge that its integrator no longer wants, unless its payer was first. */
    cancelCharge: (input: Transition) => close(deps, input, 'CANCELLED'),
  };
}

async function load(deps: ActivityDeps, chargeId: ChargeId) {
  const em = deps.database.em.fork();
  const charge = await em.findOne(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  if (charge === null) throw ApplicationFailure.nonRetryable(`No charge ${chargeId}`, 'CHARGE_NOT_FOUND');
  const provider = providerOf(deps.providers, charge.devMode);
  // Retryable: a worker that lacks the provider's settings must not decide for those that have them.
  if (provider === null) throw ApplicationFailure.retryable(`No payment provider configured`, 'NO_PROVIDER');
  return { em, charge, provider };
}

async function close(
  deps: ActivityDeps,
  input: Transition,
  closed: 'EXPIRED' | 'CANCELLED',
): Promise<ChargeStatus> {
  const { em, charge, provider } = await load(deps, input.chargeId);
  if (charge.status !== 'PENDING') return charge.status;
  const now = new Date(input.nowMs);
  const payment = await provider.close(charge.providerReference);
  if (payment !== null) {
    const status = await settle(deps, em, charge, provider, payment, now);
    if (status !== 'PENDING') return status;
    // Too little or too late: the money went back, and the charge ends as it was going to.
  }
  const changed = await em.nativeUpdate(
    ChargeEntity,
    { id: charge.id, status: 'PENDING' },
    { status: closed, updatedAt: now },
  );
  return changed === 1 ? closed : currentStatus(em, charge.id);
}

async function settle(
  deps: ActivityDeps,
  em: Em,
  charge: Charge,
  provider: PaymentProvider,
  payment: ProviderPayment,
  now: Date,
): Promise<ChargeStatus> {
  const deliveries = await acceptPayment(em, charge, provider.name, payment, now, deps.publicUrl);
  if (deliveries === null) {
    await returnPayment(deps, em, charge, provider, payment, now);
    return currentStatus(em, charge.id);
  }
  // After the commit: workflow ids make a repeated start harmless, and a failed one repeats this whole activity.
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return 'PAID';
}

async function currentStatus(em: Em, chargeId: ChargeId): Promise<ChargeStatus> {
  const [row] = await em.execute<{ status: ChargeStatus }[]>('select status from charges where id = ?', [
    chargeId,
  ]);
  if (row === undefined) throw ApplicationFailure.nonRetryable(`No charge ${chargeId}`, 'CHARGE_NOT_FOUND');
  return row.status;
}
