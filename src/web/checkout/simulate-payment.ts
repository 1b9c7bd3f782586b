import type { Charge } from '../../database/entities/charge.ts';
import type { PageDeps } from '../frame/page-context.ts';

/** How long the request waits for the result; afterwards the page keeps polling. */
const WAIT_MS = 5_000;

/**
 * Makes the sandbox bank pay an open PIX or boleto. If its notification fails now, the payment stays made and the notification is
 * retried until acknowledged.
 */
export async function payShownCharge(
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
    deps.log.warn({ chargeId: charge.id, err: error }, 'simulated payment not acknowledged');
  }
}
