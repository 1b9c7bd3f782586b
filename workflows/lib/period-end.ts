import { subscriptionEndings } from './activity-options.ts';
import { moment } from './run-clock.ts';
import type { SubscriptionStretch } from './subscription-stretch.ts';

/** At the end of the period, wakes a run that collects a cycle: `openCycle` ends a subscription without one. */
export async function watchPeriodEnd(
  { progress, clock }: SubscriptionStretch,
  endsAtMs: number,
): Promise<void> {
  const isMoot = () => progress.isOver || progress.cancelAtMs !== endsAtMs;
  await clock.waitUntil(endsAtMs, isMoot, 'period ends');
  if (!progress.isOver && progress.cancelAtMs === endsAtMs) progress.notePeriodEnd();
}

/** Ends the subscription with its period. Its row decides: somebody may have resumed it meanwhile. */
export async function endAtPeriodEnd({ subscriptionId, progress }: SubscriptionStretch): Promise<void> {
  progress.moveTo(await subscriptionEndings.endAtPeriodEnd({ subscriptionId, ...moment() }));
}
