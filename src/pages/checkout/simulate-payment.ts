import type { Charge } from '../../database/entities/charge.ts';
import type { PageDeps } from '../frame/page-context.ts';

/** A payer who pressed the button waits this long for the answer; the page goes on waiting by itself. */
const WAIT_MS = 5_000;

/**
 * Has the sandbox bank pay a PIX or boleto that is open. The payment stays made where its notification does
 * not get through now: it is told again until it does.
 */
export async function simulatePayment(
  deps: PageDeps,
  charge: Charge,
  now: Date,
  requestId: string,
): Promise<void> {
  const hasCode = charge.brCode !== null || charge.barCode !== null;
  if (charge.status !== 'PENDING' || charge.closesAt <= now || !hasCode) return;
  try {
    const pay = () => deps.sandboxPayments.payCharge(charge, now, requestId);
    await deps.temporal.withDeadline(Date.now() + WAIT_MS, pay);
  } catch (error) {
    deps.log.warn({ chargeId: charge.id, err: error }, 'a simulated payment was left to be notified again');
  }
}
