import { payoutControlsOf } from '../../../payouts/payout-controls.ts';
import { ownStepUp, type StepUp } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * What a person must give again to send money or to decide about it: the password, and in production a code if they have a second
 * factor. If the store requires one, by its controls or its rule for everyone, people without a second factor are asked for a
 * code too.
 */
export async function payoutStepUp(visit: Visit): Promise<StepUp> {
  const { em, caller, devMode, requiresSecondFactor } = visit;
  if (!devMode && (requiresSecondFactor || ownStepUp(visit).needsCode)) return { needsCode: true };
  return { needsCode: (await payoutControlsOf(em, caller)).requiresSecondFactor };
}
