/** The events of API v1/v2 as published (contract section 7.2). */
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

/** Recebe's own events. Only endpoints that name one receive it. */
export const OWN_EVENT_NAMES = [
  'transparent.expired',
  'transparent.cancelled',
  'transparent.won',
  'checkout.expired',
  'checkout.payment_failed',
  'checkout.won',
  'subscription.trial_ending',
  'subscription.upcoming',
  'subscription.card_expiring',
  'subscription.card_updated',
  'subscription.cancellation_scheduled',
  'subscription.past_due',
  'subscription.trial_changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.payment_method_changed',
  'subscription.authorization_requested',
  'subscription.authorized',
  'subscription.authorization_refused',
  'subscription.authorization_cancelled',
  'invoice.created',
  'invoice.paid',
  'invoice.void',
  'customer.updated',
  'reminder.due',
  'nfse.pending',
  'nfse.authorized',
  'nfse.rejected',
  'nfse.cancellation_requested',
  'nfse.cancelled',
  'refund.failed',
  'refund.requested',
  'payment.returned',
  'payout.returned',
  'transfer.returned',
  'webhook.disabled',
] as const;

/**
 * Own events about unpaid charges and future ones, which may outnumber all others, about invoices, which come with most
 * payments, and about customers, whom a shop may update all at once: recorded only while an endpoint is subscribed to them, or someone reads them (decisions 13, 15, 16 and 30). All others are always recorded.
 */
export const OPT_IN_EVENTS = [
  'transparent.expired',
  'transparent.cancelled',
  'checkout.expired',
  'checkout.payment_failed',
  'subscription.trial_ending',
  'subscription.upcoming',
  'subscription.card_expiring',
  'invoice.created',
  'invoice.paid',
  'invoice.void',
  'customer.updated',
] as const satisfies readonly (typeof OWN_EVENT_NAMES)[number][];
export type OptInEventName = (typeof OPT_IN_EVENTS)[number];

/** The opt-in events among the names that a client reads; null for all names. */
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

/** Every name that an endpoint may subscribe to, of whichever version it receives. No name exists in both. */
export const ENDPOINT_EVENT_NAMES = [...EVENT_NAMES, ...V1_EVENT_NAMES] as const;
export type EndpointEventName = EventName | V1EventName;

/** The names that an endpoint may subscribe to. @param v2 whether it receives payloads of v2, or those of v1. */
export function eventNamesFor({ v2 }: { readonly v2: boolean }): readonly EndpointEventName[] {
  return v2 ? EVENT_NAMES : V1_EVENT_NAMES;
}

/** The version of the API whose payloads an endpoint receives. */
export function eventVersionOf({ v2 }: { readonly v2: boolean }): 'v1' | 'v2' {
  return v2 ? 'v2' : 'v1';
}

/** Events of v1 only: recorded only if a v1 endpoint is subscribed to them. */
export const V1_ONLY_EVENT_NAMES = ['billing.created', 'billing.failed'] as const;

export type V1OnlyEventName = (typeof V1_ONLY_EVENT_NAMES)[number];

/** Every recorded event, by its v2 name, unless only v1 has it. */
export const RECORDED_EVENT_NAMES = [...EVENT_NAMES, ...V1_ONLY_EVENT_NAMES] as const;

export type RecordedEventName = EventName | V1OnlyEventName;

export function isV1Only(name: RecordedEventName): name is V1OnlyEventName {
  return V1_ONLY_EVENT_NAMES.some((only) => only === name);
}

/** Opened disputes, changes of plan, transfers and Recebe's own events have no name in v1. */
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
  'subscription.card_expiring': null,
  'subscription.card_updated': null,
  'subscription.cancellation_scheduled': null,
  'subscription.past_due': null,
  'subscription.trial_changed': null,
  'subscription.paused': null,
  'subscription.resumed': null,
  'subscription.payment_method_changed': null,
  'subscription.authorization_requested': null,
  'subscription.authorized': null,
  'subscription.authorization_refused': null,
  'subscription.authorization_cancelled': null,
  'invoice.created': null,
  'invoice.paid': null,
  'invoice.void': null,
  'customer.updated': null,
  'reminder.due': null,
  'nfse.pending': null,
  'nfse.authorized': null,
  'nfse.rejected': null,
  'nfse.cancellation_requested': null,
  'nfse.cancelled': null,
  'refund.failed': null,
  'refund.requested': null,
  'payment.returned': null,
  'payout.returned': null,
  'transfer.returned': null,
  'webhook.disabled': null,
};

/**
 * The v1 name of an event; null if v1 endpoints do not receive it.
 * @param data the v2 payload. For v1, a subscription with a trial was created when the trial began, so its first
 *   payment is an ordinary one.
 */
export function v1EventNameOf(
  name: RecordedEventName,
  data: { readonly subscription?: object },
): V1EventName | null {
  const hadTrial = data.subscription !== undefined && 'trialDays' in data.subscription;
  return name === 'subscription.completed' && hadTrial ? 'billing.paid' : V1_NAMES[name];
}
