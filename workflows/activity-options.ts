import {
  type ActivityOptions,
  type LocalActivityOptions,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/** Retried for as long as Postgres or the provider is away: a payment is never given up. */
const UNTIL_IT_WORKS = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;

/**
 * A transition of a charge: a few statements against Postgres and at most one call to the provider. Local, because a
 * regular activity would add six events and two round trips; a crash in between repeats it, which changes nothing.
 */
const TRANSITION: LocalActivityOptions = { startToCloseTimeout: '20s', retry: UNTIL_IT_WORKS };

/**
 * One POST to an endpoint and its record: 30 seconds for the endpoint (contract section 7), the rest for Postgres.
 * The retry covers our own failures only; what the endpoint does is a result.
 */
const ATTEMPT: ActivityOptions & LocalActivityOptions = { startToCloseTimeout: '45s', retry: UNTIL_IT_WORKS };

export const transitions =
  proxyLocalActivities<Pick<Activities, 'recordPayment' | 'expireCharge' | 'cancelCharge'>>(TRANSITION);

/** Attempts at an endpoint that lately answered fast; the activity declines any other at once. */
export const fastLane = proxyLocalActivities<Pick<Activities, 'attemptFastDelivery'>>(ATTEMPT);

/**
 * Attempts at any endpoint, each in a slot of its own, so that a slow one holds nobody up. Heartbeats tell a slow endpoint
 * from a dead worker, whose attempt another one repeats after this time instead of the whole start-to-close timeout.
 */
export const openLane = proxyActivities<Pick<Activities, 'attemptDelivery'>>({
  ...ATTEMPT,
  heartbeatTimeout: '10s',
});
