import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { FIRST_SECONDS, lastingActivities } from './lasting-activities.ts';

/** Retried for as long as Postgres or the provider is unavailable: a payment is never given up. */
const UNTIL_IT_WORKS = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * A transition of a charge, a payout or a subscription runs a few statements against Postgres and calls the
 * provider at most once. After a crash it runs again, without a second effect.
 */
const START_TO_CLOSE_TIMEOUT = '20s';

/**
 * The issuer of a payer's card is asked in one local activity, including its retries. Pauses longer than this
 * become timers of the workflow. Shorter ones are spent inside a workflow task, where a timeout over all attempts
 * cannot fire.
 */
const LOCAL_RETRY_THRESHOLD = '5s';

/**
 * One POST to an endpoint and its record: 30 seconds for the endpoint (contract section 7), the rest for Postgres.
 * The retry covers our own failures only. A failure of the endpoint is a result, not an error.
 */
const ATTEMPT: ActivityOptions & LocalActivityOptions = { startToCloseTimeout: '45s', retry: UNTIL_IT_WORKS };

/** The options of a local attempt. If the local attempts fail, the open queue takes over. */
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
 * Asks the issuer of the card that pays a cycle. No payer waits, so Recebe retries until the issuer answers. An
 * outage of Recebe, the provider or the issuer is no decline.
 */
export const collectionsIn = lastingActivities<Pick<Activities, 'authorizeCharge'>>(START_TO_CLOSE_TIMEOUT);

/**
 * Asks the issuer of a card while its payer waits. Recebe gives up after two minutes: the payer has left by then,
 * and a charge would surprise them. `failCharge` then cancels the order at the provider.
 */
export const authorizations = proxyLocalActivities<Pick<Activities, 'authorizeCharge'>>({
  startToCloseTimeout: START_TO_CLOSE_TIMEOUT,
  scheduleToCloseTimeout: '2 minutes',
  localRetryThreshold: LOCAL_RETRY_THRESHOLD,
  retry: UNTIL_IT_WORKS,
});

/**
 * Ends a checkout. This may mean waiting for the workflows of thousands of charges, so these are regular activities
 * with a heartbeat per batch.
 */
export const checkoutEndings = proxyActivities<
  Pick<Activities, 'expireCheckout' | 'cancelCheckout' | 'closeCharges'>
>({ startToCloseTimeout: '10 minutes', heartbeatTimeout: '30s', retry: UNTIL_IT_WORKS });

/** Attempts at an endpoint that has been fast lately. The activity declines any other endpoint at once. */
export const fastDeliveries = proxyLocalActivities<Pick<Activities, 'attemptFastDelivery'>>(LOCAL_ATTEMPT);

/**
 * Attempts at any endpoint, each in its own slot, so a slow endpoint delays no other. A missing heartbeat means
 * that the worker died: another worker repeats the attempt after this time, without waiting for the start-to-close
 * timeout.
 */
export const openDeliveries = proxyActivities<Pick<Activities, 'attemptDelivery'>>({
  ...ATTEMPT,
  heartbeatTimeout: '10s',
});

/** Resends a batch of deliveries. Retries of a regular activity add nothing to the history. */
export const resends = proxyActivities<Pick<Activities, 'resendSome' | 'stopResend'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});

/** Opens cycles and changes the subscription's own rows. */
export const cyclesIn =
  lastingActivities<
    Pick<
      Activities,
      | 'openCycle'
      | 'retryCycle'
      | 'recordFailedAttempt'
      | 'resumeAttempt'
      | 'changePlan'
      | 'scheduleCancellation'
      | 'resumeSubscription'
      | 'pauseSubscription'
      | 'endPause'
      | 'readPosition'
      | 'payOpenCycle'
      | 'changeTrial'
    >
  >(START_TO_CLOSE_TIMEOUT);

/** Orders a debit, opens its cycle, and looks up its outcome. */
export const debitsIn = lastingActivities<Pick<Activities, 'advanceDebit'>>(START_TO_CLOSE_TIMEOUT);

/** Ends a subscription. This waits for the workflows of its charges, so it is a regular activity with heartbeats. */
export const subscriptionEndings = proxyActivities<
  Pick<Activities, 'cancelSubscription' | 'endAtPeriodEnd' | 'closeSubscriptionCharges'>
>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});

/**
 * Makes pending money available. A day may have tens of thousands of payments, so this is a regular activity with
 * heartbeats.
 */
export const settlements = proxyActivities<Pick<Activities, 'settleCharges'>>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '30s',
  retry: UNTIL_IT_WORKS,
});
