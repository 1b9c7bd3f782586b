/** The events of the original service (contract section 7.2). */
export const ORIGINAL_EVENT_NAMES = [
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

/** Those that are ours. Only an endpoint that names one is told of it. */
export const OWN_EVENT_NAMES = [
  'transparent.expired',
  'transparent.cancelled',
  'transparent.won',
  'checkout.expired',
  'checkout.payment_failed',
  'checkout.won',
  'subscription.trial_ending',
  'subscription.upcoming',
  'refund.failed',
  'payment.returned',
  'payout.returned',
  'transfer.returned',
  'webhook.disabled',
] as const;

/**
 * Events of ours of what nobody has paid (yet), which may be most of what a store makes: recorded only while an endpoint is
 * subscribed to them, or somebody reads them (decisions 35, 39 and 54). All others are recorded whether somebody listens or not.
 */
export const OPT_IN_EVENTS = [
  'transparent.expired',
  'transparent.cancelled',
  'checkout.expired',
  'checkout.payment_failed',
  'subscription.trial_ending',
  'subscription.upcoming',
] as const satisfies readonly (typeof OWN_EVENT_NAMES)[number][];
export type OptInEventName = (typeof OPT_IN_EVENTS)[number];

/** Those of them that somebody reads who reads events of these names; null for all names. */
export function optInEventsAmong(names: readonly string[] | null): readonly OptInEventName[] {
  return names === null ? OPT_IN_EVENTS : OPT_IN_EVENTS.filter((subscribed) => names.includes(subscribed));
}

/** The events an endpoint can subscribe to, each by its name. */
export const EVENT_NAMES = [...ORIGINAL_EVENT_NAMES, ...OWN_EVENT_NAMES] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The events an endpoint of API v1 can subscribe to (contract section 7). */
export const V1_EVENT_NAMES = [
  'billing.created',
  'billing.paid',
  'billing.refunded',
  'billing.failed',
  'subscription.created',
  'subscription.canceled',
  'withdraw.done',
  'withdraw.failed',
] as const;

export type V1EventName = (typeof V1_EVENT_NAMES)[number];

/** What v1 tells and v2 does not: recorded only where a v1 endpoint is subscribed to it. */
export const V1_ONLY_EVENT_NAMES = ['billing.created', 'billing.failed'] as const;

export type V1OnlyEventName = (typeof V1_ONLY_EVENT_NAMES)[number];

/** Everything that is recorded as an event: by its v2 name, unless only v1 has it. */
export const RECORDED_EVENT_NAMES = [...EVENT_NAMES, ...V1_ONLY_EVENT_NAMES] as const;

export type RecordedEventName = EventName | V1OnlyEventName;

export function isV1Only(name: RecordedEventName): name is V1OnlyEventName {
  return V1_ONLY_EVENT_NAMES.some((only) => only === name);
}

/**
 * A dispute that is opened, a change of plan and transfers are newer than v1, which has no name for them; nor has it for
 * what is ours.
 */
const V1_NAMES: Readonly<Record<RecordedEventName, V1EventName | null>> = {
  'billing.created': 'billing.created',
  'billing.failed': 'billing.failed',
  'checkout.completed': 'billing.paid',
  'checkout.refunded': 'billing.refunded',
  'checkout.disputed': null,
  'checkout.lost': 'billing.refunded',
  'transparent.completed': 'billing.paid',
  'transparent.refunded': 'billing.refunded',
  'transparent.disputed': null,
  'transparent.lost': 'billing.refunded',
  'subscription.completed': 'subscription.created',
  'subscription.cancelled': 'subscription.canceled',
  'subscription.renewed': 'billing.paid',
  'subscription.trial_started': 'subscription.created',
  'subscription.plan_changed': null,
  'subscription.payment_failed': 'billing.failed',
  'payout.completed': 'withdraw.done',
  'payout.failed': 'withdraw.failed',
  'transfer.completed': null,
  'transfer.failed': null,
  'transparent.expired': null,
  'transparent.cancelled': null,
  'transparent.won': null,
  'checkout.expired': null,
  'checkout.payment_failed': null,
  'checkout.won': null,
  'subscription.trial_ending': null,
  'subscription.upcoming': null,
  'refund.failed': null,
  'payment.returned': null,
  'payout.returned': null,
  'transfer.returned': null,
  'webhook.disabled': null,
};

/**
 * What v1 calls an event; null where its endpoints are not told.
 * @param data what v2 endpoints are told. A subscription with a trial was created, for v1, when that began: its first
 *   payment is one like any other.
 */
export function v1EventNameOf(
  name: RecordedEventName,
  data: { readonly subscription?: object },
): V1EventName | null {
  const hadTrial = data.subscription !== undefined && 'trialDays' in data.subscription;
  return name === 'subscription.completed' && hadTrial ? 'billing.paid' : V1_NAMES[name];
}
