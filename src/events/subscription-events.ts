import { eventDocument } from './document.ts';
import {
  exampleCancelled,
  exampleCompleted,
  examplePaymentFailed,
  examplePlanChanged,
  exampleRenewed,
  exampleTrialStarted,
} from './subscription/examples.ts';
import { paymentFailedData, planChangedData, subscriptionData, trialData } from './subscription/objects.ts';

/** Subscriptions (contract sections 6 and 7). */
export const subscriptionEvents = [
  eventDocument(
    'subscription.completed',
    'A subscription was paid for the first time: at once, or after its trial',
    subscriptionData,
    exampleCompleted,
  ),
  eventDocument(
    'subscription.cancelled',
    'A subscription has ended, on request or after too many failed attempts',
    subscriptionData,
    exampleCancelled,
  ),
  eventDocument('subscription.renewed', 'A further cycle was paid', subscriptionData, exampleRenewed),
  eventDocument('subscription.trial_started', 'A trial has begun', trialData, exampleTrialStarted),
  eventDocument(
    'subscription.plan_changed',
    'From the next cycle on a subscription will cost something else',
    planChangedData,
    examplePlanChanged,
  ),
  eventDocument(
    'subscription.payment_failed',
    'An attempt to charge a cycle has failed',
    paymentFailedData,
    examplePaymentFailed,
  ),
];
