import { payoutControlsOf } from '../../database/payout-controls.ts';
import type { StepUp } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * What sending money, and deciding about it, asks for again: the password, and a code if the store's controls of this
 * environment say so, or in production if the store asks everybody for a second factor.
 */
export async function payoutStepUp({ em, caller, devMode, requiresSecondFactor }: Visit): Promise<StepUp> {
  if (requiresSecondFactor && !devMode) return { needsCode: true };
  return { needsCode: (await payoutControlsOf(em, caller)).requiresSecondFactor };
}
