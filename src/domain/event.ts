/** The events an endpoint can subscribe to (spec, "Events"). */
export const EVENT_NAMES = [
  'checkout.completed',
  'checkout.refunded',
  'checkout.disputed',
  'checkout.lost',
  'transparent.completed',
  'transparent.refunded',
  'transparent.disputed',
  'transparent.lost',
  'subscription.completed',
  'subscription.cancelled',
  'subscription.renewed',
  'subscription.trial_started',
  'subscription.plan_changed',
  'subscription.payment_failed',
  'payout.completed',
  'payout.failed',
  'transfer.completed',
  'transfer.failed',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
