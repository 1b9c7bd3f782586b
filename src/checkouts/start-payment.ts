import { METHODS } from '../charges/methods/index.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { chargeStart } from '../temporal/charge.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';

/** How long a request waits for the card's answer; afterwards the page polls. */
const AUTHORIZATION_TIMEOUT_MS = 10_000;

/**
 * Starts the workflow of a committed charge. If the charge is decided at once (a card, or nothing to pay), this
 * waits for the result. If that takes too long or Temporal is unavailable, the charge stays PENDING and the sweeper
 * resumes it.
 */
export async function startPayment(
  deps: CheckoutDeps,
  charge: Charge,
  moment: PaymentMoment,
): Promise<Charge> {
  if (charge.status !== 'PENDING') return charge;
  if (METHODS[charge.method].decidedBy === 'PAYER') {
    deps.starter.startSoon(chargeStart(charge, moment.requestId));
    return charge;
  }
  try {
    const authorize = () => deps.chargeUpdates.authorize(charge, moment.requestId);
    await deps.temporal.withDeadline(Date.now() + AUTHORIZATION_TIMEOUT_MS, authorize);
  } catch (error) {
    deps.log.warn({ chargeId: charge.id, err: error }, 'payment decision postponed');
  }
  return deps.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
}
