import type { ChargeId } from '../../domain/ids.ts';
import { leaveTurn } from '../../request-turn.ts';
import type { PageContext, PageDeps } from './page-context.ts';

/** How long the payer waits for Temporal on the way back from their bank. */
const ASKED_WITHIN_MS = 3_000;

/**
 * Has the run of a payment ask its provider now, because the payer is back from their bank. What the address says is no proof, and anyone
 * who knows it can open it: each time is a signal in the run's history and a request to the provider, so only the first few count. The
 * run also asks by itself.
 */
export async function askAfterReturn(
  ctx: PageContext,
  { chargeUpdates, temporal, trafficLimiter }: PageDeps,
  chargeId: ChargeId,
): Promise<void> {
  if ((await trafficLimiter.countKnown(['bankReturnsOfPayment', chargeId])) !== null) return;
  leaveTurn(ctx.req);
  try {
    await temporal.withDeadline(Date.now() + ASKED_WITHIN_MS, () => chargeUpdates.askProviderNow(chargeId));
  } catch (error) {
    ctx.state.log.warn({ chargeId, err: error }, 'payer return not signalled');
  }
}
