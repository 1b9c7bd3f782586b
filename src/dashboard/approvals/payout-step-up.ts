import { payoutControlsOf } from '../../database/payout-controls.ts';
import { ownStepUp, type StepUp } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * What sending money, and deciding about it, asks for again: the password, and in production a code of everybody who has
 * a second factor. The store's controls of this environment, or its rule for everybody, ask also those who have none.
 */
export async function payoutStepUp(visit: Visit): Promise<StepUp> {
  const { em, caller, devMode, requiresSecondFactor } = visit;
  if (!devMode && (requiresSecondFactor || ownStepUp(visit).needsCode)) return { needsCode: true };
  return { needsCode: (await payoutControlsOf(em, caller)).requiresSecondFactor };
}
