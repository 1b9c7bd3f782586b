import type { Subscription } from '../../database/entities/subscription.ts';
import { isKeptPastDue } from '../../domain/subscription.ts';

/** What a locked row says if another attempt at its open cycle is due now. */
export function attemptNow(
  locked: Subscription,
  now: Date,
): Pick<Subscription, 'attemptDueAt' | 'pausedAt' | 'pauseCause'> {
  const { pausedAt, pauseCause } = locked;
  const waits = isKeptPastDue(locked);
  return { attemptDueAt: now, pausedAt: waits ? null : pausedAt, pauseCause: waits ? null : pauseCause };
}
