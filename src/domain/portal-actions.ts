import type { ChargeMethod, ChargeStatus } from './charge.ts';
import type { PortalSettings } from './portal-settings.ts';
import { canBePaidNow, isPaused, MOST_EXTRA_ATTEMPTS, type SubscriptionStanding } from './subscription.ts';

/** What a payer can do to a subscription in the customer portal; also the last part of its page's path. */
export const PORTAL_ACTIONS = ['cancel', 'cancel-now', 'undo', 'pause', 'resume', 'pay'] as const;
export type PortalAction = (typeof PORTAL_ACTIONS)[number];

/** What {@link offeredActions} needs of a subscription. */
export interface ActedOn extends SubscriptionStanding {
  /** Null while no cycle is open. */
  readonly attemptDueAt: Date | null;
  readonly extraAttempts: number;
}

/** What the payer can do now. The settings and the row decide when the action is used, and not when a page is shown. */
export function offeredActions(
  settings: PortalSettings,
  subscription: ActedOn,
  now: Date,
): readonly PortalAction[] {
  return subscription.status === 'ACTIVE'
    ? PORTAL_ACTIONS.filter((action) => OFFERED[action](settings, subscription, now))
    : [];
}

type Condition = (settings: PortalSettings, subscription: ActedOn, now: Date) => boolean;

const OFFERED: Readonly<Record<PortalAction, Condition>> = {
  cancel: ({ cancellation }, { cancelAt }) => cancellation !== 'NEVER' && cancelAt === null,
  'cancel-now': ({ cancellation }) => cancellation === 'NOW',
  undo: ({ undoesCancellation }, subscription) =>
    undoesCancellation && subscription.cancelAt !== null && !isPaused(subscription),
  // A pause gives an open cycle up, so a payer could use a period and never pay it.
  pause: ({ longestPauseDays }, { pausedAt, cancelAt, attemptDueAt }) =>
    longestPauseDays !== null && pausedAt === null && cancelAt === null && attemptDueAt === null,
  // The same operation also undoes a cancellation.
  resume: ({ longestPauseDays, undoesCancellation }, subscription) =>
    longestPauseDays !== null &&
    isPaused(subscription) &&
    (subscription.cancelAt === null || undoesCancellation),
  // A payer can always pay a debt.
  pay: (_settings, subscription, now) =>
    canBePaidNow(subscription, now) && subscription.extraAttempts < MOST_EXTRA_ATTEMPTS,
};

/** Whether the payer may replace the card now. */
export function mayChangeCard(
  { changesCard }: PortalSettings,
  { status, method }: Pick<SubscriptionStanding, 'status'> & { readonly method: 'PIX' | 'CARD' },
): boolean {
  return changesCard && status === 'ACTIVE' && method === 'CARD';
}

/** Whether the payer may change to another plan that the store offers, if there is one. */
export function mayChangePlan(
  { offeredPlanIds }: PortalSettings,
  subscription: SubscriptionStanding,
): boolean {
  const { status, cancelAt } = subscription;
  return offeredPlanIds.length > 0 && status === 'ACTIVE' && cancelAt === null && !isPaused(subscription);
}

/** Payers' banks take a PIX back for 90 days, so no payment is asked for later. */
const ASKED_FOR_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What {@link mayAskForRefund} needs of a charge. */
export interface PaidCharge {
  readonly status: ChargeStatus;
  readonly method: ChargeMethod;
  readonly paidAt: Date | null;
}

/** Whether the payer may ask for a refund of a payment that is still the store's. */
export function mayAskForRefund(
  { asksForRefunds }: PortalSettings,
  { status, method, paidAt }: PaidCharge,
  now: Date,
): boolean {
  if (!asksForRefunds || status !== 'PAID' || method === 'FREE' || paidAt === null) return false;
  return now.getTime() - paidAt.getTime() <= ASKED_FOR_DAYS * DAY_MS;
}

/** Whether the subscription is where the action leads to. */
export const HAS_HAPPENED: Readonly<Record<PortalAction, (subscription: SubscriptionStanding) => boolean>> = {
  cancel: ({ status, cancelAt }) => status !== 'ACTIVE' || cancelAt !== null,
  'cancel-now': ({ status }) => status !== 'ACTIVE',
  undo: ({ status, cancelAt }) => status === 'ACTIVE' && cancelAt === null,
  pause: (subscription) => subscription.status === 'ACTIVE' && isPaused(subscription),
  resume: (subscription) => subscription.status === 'ACTIVE' && !isPaused(subscription),
  pay: ({ status, failedAttempts }) => status === 'ACTIVE' && failedAttempts === 0,
};
