import { defineEvent } from '../definition.ts';
import { cardExpiringData, trialEndingData, upcomingData } from './announcements.ts';
import { cardUpdatedData } from './card-updated.ts';
import {
  authorizationCancelled,
  authorizationRefused,
  authorizationRequested,
  authorized,
  cancellationScheduled,
  cancelled,
  cardExpiring,
  cardUpdated,
  completed,
  pastDue,
  paused,
  paymentFailed,
  paymentMethodChanged,
  planChanged,
  renewed,
  resumed,
  trialChanged,
  trialEnding,
  trialStarted,
  upcoming,
} from './examples.ts';
import {
  authorizationEndedData,
  authorizationRequestedData,
  authorizedData,
  cancellationScheduledData,
  pastDueData,
  pausedData,
  resumedData,
  trialChangedData,
} from './lifecycle.ts';
import { subscriptionData } from './paid-and-cancelled.ts';
import { paymentFailedData } from './payment-failed.ts';
import { paymentMethodChangedData } from './payment-method-changed.ts';
import { planChangedData } from './plan-changed.ts';
import { trialData } from './trial-started.ts';

/** Subscriptions (contract sections 6 and 7). */
export const subscriptionEvents = {
  'subscription.completed': defineEvent(
    'A subscription was paid for the first time: immediately, or after its trial',
    subscriptionData,
    completed,
  ),
  'subscription.cancelled': defineEvent(
    'A subscription ended, on request or after too many failed attempts',
    subscriptionData,
    cancelled,
  ),
  'subscription.renewed': defineEvent('Another cycle was paid', subscriptionData, renewed),
  'subscription.trial_started': defineEvent('A trial started', trialData, trialStarted),
  'subscription.plan_changed': defineEvent(
    'The price of a subscription changes from the next cycle',
    planChangedData,
    planChanged,
  ),
  'subscription.payment_failed': defineEvent(
    'An attempt to charge a cycle failed',
    paymentFailedData,
    paymentFailed,
  ),
  'subscription.trial_ending': defineEvent(
    'A trial ends within three days, followed by the first charge. Our addition',
    trialEndingData,
    trialEnding,
  ),
  'subscription.upcoming': defineEvent(
    'A subscription will be charged within seven days, and its current cycle is paid. Sent once for each charge. Our addition',
    upcomingData,
    upcoming,
  ),
  'subscription.card_expiring': defineEvent(
    'The card of an active subscription expires within 30 days, and again within 7. Sent at most once for each. Our addition',
    cardExpiringData,
    cardExpiring,
  ),
  'subscription.card_updated': defineEvent(
    "The network or issuer of a subscription's card has replaced it or changed its expiry; the next cycle is charged to it. Our addition",
    cardUpdatedData,
    cardUpdated,
  ),
  'subscription.cancellation_scheduled': defineEvent(
    'A subscription will end with its current cycle. Our addition',
    cancellationScheduledData,
    cancellationScheduled,
  ),
  'subscription.paused': defineEvent(
    'A subscription was paused, or its pause has another end: nothing is charged. Our addition',
    pausedData,
    paused,
  ),
  'subscription.trial_changed': defineEvent(
    'The end of a trial was moved, or the trial was ended. Our addition',
    trialChangedData,
    trialChanged,
  ),
  'subscription.past_due': defineEvent(
    'The first attempt to charge a cycle failed, and the subscription continues: the cycle is overdue. Our addition',
    pastDueData,
    pastDue,
  ),
  'subscription.resumed': defineEvent(
    'A pause ended, or a scheduled cancellation was undone. Our addition',
    resumedData,
    resumed,
  ),
  'subscription.payment_method_changed': defineEvent(
    'The card of a subscription was replaced by its payer',
    paymentMethodChangedData,
    paymentMethodChanged,
  ),
  'subscription.authorization_requested': defineEvent(
    'The payer is asked to authorize debits by PIX without a payment: show or send them the page. Our addition',
    authorizationRequestedData,
    authorizationRequested,
  ),
  'subscription.authorized': defineEvent(
    'The payer has authorized the debits of later cycles by PIX (Pix Automático). Our addition',
    authorizedData,
    authorized,
  ),
  'subscription.authorization_refused': defineEvent(
    'The payer has not authorized debits, or has not answered: later cycles are paid as before. Our addition',
    authorizationEndedData,
    authorizationRefused,
  ),
  'subscription.authorization_cancelled': defineEvent(
    "An authorization of debits has ended, at the payer's bank or at the store's. Our addition",
    authorizationEndedData,
    authorizationCancelled,
  ),
};
