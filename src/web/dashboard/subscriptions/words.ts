import type { Subscription } from '../../../database/entities/subscription.ts';
import { RETRIES_EXCEEDED } from '../../../domain/dunning-policy.ts';
import { AUTHORIZATION_REFUSED } from '../../../domain/mandate.ts';
import { isPaused, type SubscriptionState, subscriptionStateOf } from '../../../domain/subscription.ts';
import { brandName } from '../../frame/card-text.ts';
import type { Html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import { expiryText, failureWords, methodName } from '../words.ts';

const STATES: Readonly<
  Record<SubscriptionState, readonly ['good' | 'bad' | 'waiting' | 'plain', MessageKey]>
> = {
  TRIALING: ['waiting', 'dashboard.subscriptions.states.trialing'],
  ACTIVE: ['good', 'dashboard.active'],
  PAST_DUE: ['bad', 'dashboard.subscriptions.states.pastDue'],
  PAUSED: ['plain', 'dashboard.subscriptions.states.paused'],
  CANCELLING: ['waiting', 'dashboard.subscriptions.states.cancelling'],
  CANCELLED: ['plain', 'dashboard.subscriptions.states.cancelled'],
};

export function stateName(state: SubscriptionState, say: Say): string {
  const [, words] = STATES[state];
  return say(words);
}

export function stateBadge(subscription: Subscription, say: Say): Html {
  const state = subscriptionStateOf(subscription);
  return badge(STATES[state][0], stateName(state, say));
}

/** The card or Pix that it is charged to: `Visa •••• 4242 · 12/27`. */
export function chargedTo(
  { method, cardBrand, cardLastFour, cardExpiryMonth, mandateId }: Subscription,
  say: Say,
): string {
  // The name is the same in every language.
  if (mandateId !== null) return 'Pix Automático';
  if (cardLastFour === null) return methodName(method, say);
  return `${cardBrand === null ? methodName(method, say) : brandName(cardBrand)} •••• ${cardLastFour}${expiryText(cardExpiryMonth)}`;
}

/** Why it was not charged, or why it ended, as a sentence; null if nothing is wrong. */
export function troubleText(subscription: Subscription, say: Say): string | null {
  const { status, failedAttempts, lastFailure, cancelledDueTo } = subscription;
  // Attempts on request, or with another card, come in addition.
  const maxRetry = Math.max(subscription.maxRetry + subscription.extraAttempts, failedAttempts);
  const why = failureWords(lastFailure, say);
  if (status === 'CANCELLED') {
    if (cancelledDueTo === RETRIES_EXCEEDED) return say('dashboard.subscriptions.itsChargesFailed', { why });
    return cancelledDueTo === AUTHORIZATION_REFUSED
      ? say('dashboard.subscriptions.itsPayerEndedTheDebits')
      : say('dashboard.subscriptions.cancelledByRequest');
  }
  if (isPaused(subscription) && subscription.pauseCause === 'RETRIES_EXCEEDED')
    return say('dashboard.subscriptions.pausedAfterItsChargesFailed');
  if (failedAttempts === 0) return null;
  return say('dashboard.subscriptions.ofAttemptsFailed', { failedAttempts, maxRetry, why });
}
