import { expect, it } from '@jest/globals';
import { type SubscriptionStanding, subscriptionStateOf } from '../../src/domain/subscription.ts';

const active: SubscriptionStanding = { status: 'ACTIVE', failedAttempts: 0, cycleNumber: 3 };

it.each([
  ['ACTIVE', {}],
  ['TRIALING', { cycleNumber: 0 }],
  ['PAST_DUE', { failedAttempts: 1 }],
  ['PAST_DUE', { failedAttempts: 2, cycleNumber: 1 }],
  ['CANCELLED', { status: 'CANCELLED' as const }],
  ['CANCELLED', { status: 'CANCELLED' as const, failedAttempts: 3, cycleNumber: 2 }],
  ['CANCELLED', { status: 'CANCELLED' as const, cycleNumber: 0 }],
])('returns %s for a subscription with %j', (state, standing) => {
  expect(subscriptionStateOf({ ...active, ...standing })).toBe(state);
});
