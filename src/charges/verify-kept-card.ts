import { eraseReplacedCard } from '../cards/card-erasures.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { CardVerification } from '../providers/ports/cards.ts';
import type { ServingProvider } from '../providers/providers.ts';
import { providerOrRetry } from '../providers/serving-provider.ts';
import { awaitDecision, canStillBePaid } from './ask-issuer.ts';
import { close } from './closing/close.ts';
import { failCharge } from './closing/fail-charge.ts';
import { confirmedPathOf } from './confirmed-path.ts';
import type { ChargeDeps } from './effects.ts';
import type { Loaded } from './load-charge.ts';

/** The pause before a verification that has not ended is asked about again. */
const POLL_AFTER_MS = 3_000;

/**
 * Has the issuer confirm the card of a start that costs nothing, such as a trial, while the payer is there: the first charge
 * comes without the payer. It can safely run again after a crash: the provider verifies once per reference.
 * @returns null once the card is verified, otherwise the charge's status: PENDING while the payer confirms the card at
 *   their bank, FAILED if it is declined, or if nobody confirms it in time.
 * @throws a retryable failure, with a pause, while the issuer itself has not decided.
 */
export async function verifyKeptCard(
  deps: ChargeDeps,
  loaded: Loaded,
  token: string,
  now: Date,
): Promise<ChargeStatus | null> {
  const { em, charge } = loaded;
  if (!(await canStillBePaid(em, charge))) return close(deps, loaded, { status: 'CANCELLED' }, now);
  const provider = await providerOrRetry(deps, charge, 'CARD');
  const returnUrl = `${deps.publicUrl}${confirmedPathOf(charge)}`;
  const answer = await provider.cards.verify({ reference: charge.id, token, returnUrl });
  if (answer.outcome === 'VERIFIED') return null;
  if (isFinal(answer, loaded, now)) await eraseUnused(loaded, provider, token, now);
  if (answer.outcome === 'DECLINED') {
    const { id: chargeId, storeId, checkoutId } = charge;
    deps.log.warn({ chargeId, storeId, checkoutId, reason: answer.reason }, 'card not verified');
    return failCharge(deps, em, charge, answer.reason, now);
  }
  const asked = { ...answer, pollAfterMs: POLL_AFTER_MS };
  return awaitDecision(deps, { ...loaded, provider }, asked, { isOffSession: false, keepsCard: true }, now);
}

/** Whether the card is not used: the issuer has declined it, or the payer has not confirmed it in time. */
function isFinal({ outcome }: CardVerification, { charge }: Loaded, now: Date): boolean {
  return outcome === 'DECLINED' || (charge.actionRequiredAt !== null && now >= charge.closesAt);
}

/** Before the charge ends, so that a crash between the two loses nothing. A card that something else needs is kept. */
function eraseUnused(
  { em, charge: { storeId, devMode } }: Loaded,
  { name: provider }: ServingProvider<'CARD'>,
  token: string,
  now: Date,
): Promise<void> {
  return eraseReplacedCard(em, { storeId, devMode, token, provider }, now);
}
