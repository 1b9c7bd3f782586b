import { expect, it } from '@jest/globals';
import { type SubscriptionStanding, subscriptionStateOf } from '../../src/domain/subscription.ts';

const active: SubscriptionStanding = {
  status: 'ACTIVE',
  failedAttempts: 0,
  cycleNumber: 3,
  cancelAt: null,
  pausedAt: null,
  pauseCause: null,
};
const DAY = new Date('2027-01-04T12:00:00Z');

it.each([
  ['ACTIVE', {}],
  ['TRIALING', { cycleNumber: 0 }],
  ['PAST_DUE', { failedAttempts: 1 }],
  ['PAST_DUE', { failedAttempts: 2, cycleNumber: 1 }],
  ['PAUSED', { pausedAt: DAY }],
  ['PAUSED', { pausedAt: DAY, cancelAt: DAY, failedAttempts: 1 }],
  ['PAUSED', { pausedAt: DAY, pauseCause: 'RETRIES_EXCEEDED' as const }],
  ['PAST_DUE', { pausedAt: DAY, pauseCause: 'PAST_DUE' as const, failedAttempts: 3 }],
  ['CANCELLING', { cancelAt: DAY }],
  ['CANCELLING', { cancelAt: DAY, cycleNumber: 0 }],
  ['PAST_DUE', { cancelAt: DAY, failedAttempts: 1 }],
  ['CANCELLED', { status: 'CANCELLED' as const }],
  ['CANCELLED', { status: 'CANCELLED' as const, cancelAt: DAY }],
  ['CANCELLED', { status: 'CANCELLED' as const, failedAttempts: 3, cycleNumber: 2 }],
  ['CANCELLED', { status: 'CANCELLED' as const, cycleNumber: 0 }],
])('returns %s for a subscription with %j', (state, standing) => {
  expect(subscriptionStateOf({ ...active, ...standing })).toBe(state);
});
