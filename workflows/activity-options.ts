import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { FIRST_SECONDS, lastingActivities } from './lasting-activities.ts';

/** Retried for as long as Postgres or the provider is away: a payment is never given up. */
const UNTIL_IT_WORKS = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * A transition of a charge, a payout or a subscription: a few statements against Postgres and at most one
 * call to the provider. A crash in between repeats it, which changes nothing.
 */
const START_TO_CLOSE_TIMEOUT = '20s';

/**
 * Asking the issuer of a payer's card is retried as a local activity to its end. Pauses between retries that
 * are longer than this are timers of the workflow. Shorter ones are spent inside a workflow task, which lets
 * no timeout over all attempts fire.
 */
const LOCAL_RETRY_THRESHOLD = '5s';

/**
 * One POST to an endpoint and its record: 30 seconds for the endpoint (contract section 7), the rest for
 * Postgres. The retry covers our own failures only; what the endpoint does is a result.
 */
const ATTEMPT: ActivityOptions & LocalActivityOptions = { startToCloseTimeout: '45s', retry: UNTIL_IT_WORKS };

/** The same where it runs as a local activity; what that cannot do, the open lane does. */
const LOCAL_ATTEMPT: LocalActivityOptions = { ...ATTEMPT, retry: FIRST_SECONDS };

export const transitionsIn =
  lastingActivities<
    Pick<
      Activities,
      | 'recordPayment'
      | 'expireCharge'
      | 'cancelCharge'
      | 'failCharge'
      | 'refundCharge'
      | 'recordDispute'
      | 'advancePayout'
    >
  >(START_TO_CLOSE_TIMEOUT);

/**
 * Asking the issuer of the card that a cycle is collected from. Nobody waits for the answer, so it is asked
 * for until it is known: that we, the provider or the issuer were out of reach is no decline.
 */
export const collectionsIn = lastingActivities<Pick<Activities, 'authorizeCharge'>>(START_TO_CLOSE_TIMEOUT);

/**
 * Asking the issuer of a card whose payer waits for it. Given up after two minutes, when no payer waits any
 * more and a charge would only surprise them; the provider is then told to refuse it (`failCharge`).
 */
export const authorizations = proxyLocalActivities<Pick<Activities, 'authorizeCharge'>>({
  startToCloseTimeout: START_TO_CLOSE_TIMEOUT,
  scheduleToCloseTimeout: '2 minutes',
  localRetryThreshold: LOCAL_RETRY_THRESHOLD,
  retry: UNTIL_IT_WORKS,
});

/**
 * Ending a checkout, which may mean waiting for the workflows of its charges, of which a payment link may
 * have thousands: regular activities with a heartbeat per batch.
 */
export const checkoutEndings = proxyActivities<
  Pick<Activities, 'expireCheckout' | 'cancelCheckout' | 'closeCharges'>
>({ startToCloseTimeout: '10 minutes', heartbeatTimeout: '30s', retry: UNTIL_IT_WORKS });

/** Attempts at an endpoint that lately answered fast; the activity declines any other at once. */
export const fastDeliveries = proxyLocalActivities<Pick<Activities, 'attemptFastDelivery'>>(LOCAL_ATTEMPT);

/**
 * Attempts at any endpoint, each in a slot of its own, so that a slow one holds nobody up. Heartbeats tell a
 * slow endpoint from a dead worker, whose attempt another one repeats after this time instead of the whole
 * start-to-close timeout.
 */
export const openDeliveries = proxyActivities<Pick<Activities, 'attemptDelivery'>>({
  ...ATTEMPT,
  heartbeatTimeout: '10s',
});

/** Having a lot of deliveries sent again: regular activities, whose retries add nothing to the history. */
export const resends = proxyActivities<Pick<Activities, 'resendSome' | 'stopResend'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});

/** Opening a cycle, and whatever else a subscription does to its own rows. */
export const cyclesIn =
  lastingActivities<
    Pick<Activities, 'openCycle' | 'retryCycle' | 'recordFailedAttempt' | 'resumeAttempt' | 'changePlan'>
  >(START_TO_CLOSE_TIMEOUT);

/** Waiting for a charge's workflow: regular activities, as it may take as long as a PIX code is valid. */
export const cycleWaits = proxyActivities<Pick<Activities, 'cancelSubscription' | 'chargeOutcome'>>({
  startToCloseTimeout: '31 days',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});

/**
 * Money that becomes available: a day may bring tens of thousands of payments, so a regular activity with
 * heartbeats.
 */
export const settlements = proxyActivities<Pick<Activities, 'settleCharges'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});
