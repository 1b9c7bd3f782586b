import { METHODS } from '../charges/methods/index.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { chargeStart } from '../temporal/charge.ts';
import type { CheckoutDeps, PaymentMoment } from './payment-deps.ts';

/** What a payer waits for an answer to their card; the page goes on waiting by itself afterwards. */
const AUTHORIZATION_TIMEOUT_MS = 10_000;

/**
 * Starts the workflow of a charge that is committed. One that is decided at once (a card, or nothing to pay)
 * is waited for; where that takes too long or Temporal is away, the charge stays PENDING here and the sweeper
 * has it decided.
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
