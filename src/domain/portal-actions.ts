import type { ChargeMethod, ChargeStatus } from './charge.ts';
import { METHOD_TRAITS } from './payment-methods.ts';
import type { PortalSettings } from './portal-settings.ts';
import { canBePaidNow, isPaused, MOST_EXTRA_ATTEMPTS, type SubscriptionStanding } from './subscription.ts';

/** What a payer can do to a subscription in the customer portal; also the last part of its page's path. */
export const PORTAL_ACTIONS = [
  'pay',
  'pay-by-pix',
  'pay-by-code',
  'cancel',
  'cancel-now',
  'undo',
  'pause',
  'resume',
] as const;
export type PortalAction = (typeof PORTAL_ACTIONS)[number];

/** What {@link offeredActions} needs of a subscription. */
export interface ActedOn extends SubscriptionStanding {
  readonly method: 'PIX' | 'CARD';
  /** The authorization under which it is debited; null without one. */
  readonly mandateId: string | null;
  /** Null while no cycle is open. */
  readonly attemptDueAt: Date | null;
  readonly extraAttempts: number;
}

/** The methods that the store's accounts serve. DEBIT: recurring debits by PIX. */
export type ServedMethods = Pick<ReadonlySet<'PIX' | 'CARD' | 'DEBIT'>, 'has'>;

/**
 * What the payer can do now. The settings, the store's accounts and the row decide when the action is used, and not when a page
 * is shown.
 */
export function offeredActions(
  settings: PortalSettings,
  subscription: ActedOn,
  served: ServedMethods,
  now: Date,
): readonly PortalAction[] {
  return subscription.status === 'ACTIVE'
    ? PORTAL_ACTIONS.filter((action) => OFFERED[action](settings, subscription, served, now))
    : [];
}

type Condition = (
  settings: PortalSettings,
  subscription: ActedOn,
  served: ServedMethods,
  now: Date,
) => boolean;

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
  pay: (_settings, subscription, _served, now) =>
    canBePaidNow(subscription, now) && subscription.extraAttempts < MOST_EXTRA_ATTEMPTS,
  'pay-by-pix': ({ changesMethod }, { method }, served) =>
    changesMethod && !METHOD_TRAITS[method].hasCode && served.has('PIX'),
  'pay-by-code': ({ changesMethod }, { mandateId }) => changesMethod && mandateId !== null,
};

/** Whether the payer may enter a card now: in place of another one, or of PIX. */
export function mayEnterCard(
  { changesCard, changesMethod }: PortalSettings,
  { status, method }: Pick<ActedOn, 'status' | 'method'>,
  served: ServedMethods,
): boolean {
  return (
    status === 'ACTIVE' &&
    served.has('CARD') &&
    (METHOD_TRAITS[method].keepsInstrument ? changesCard : changesMethod)
  );
}

/** Whether the payer may be asked to authorize debits: in place of codes, or of a card. */
export function mayAuthorizeDebits(
  { changesMethod }: PortalSettings,
  { status, mandateId, cancelAt }: Pick<ActedOn, 'status' | 'mandateId' | 'cancelAt'>,
  served: ServedMethods,
): boolean {
  return (
    status === 'ACTIVE' && changesMethod && mandateId === null && cancelAt === null && served.has('DEBIT')
  );
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
export const HAS_HAPPENED: Readonly<
  Record<
    PortalAction,
    (subscription: SubscriptionStanding & Pick<ActedOn, 'method' | 'mandateId'>) => boolean
  >
> = {
  cancel: ({ status, cancelAt }) => status !== 'ACTIVE' || cancelAt !== null,
  'cancel-now': ({ status }) => status !== 'ACTIVE',
  undo: ({ status, cancelAt }) => status === 'ACTIVE' && cancelAt === null,
  pause: (subscription) => subscription.status === 'ACTIVE' && isPaused(subscription),
  resume: (subscription) => subscription.status === 'ACTIVE' && !isPaused(subscription),
  'pay-by-pix': ({ method }) => METHOD_TRAITS[method].hasCode,
  'pay-by-code': ({ mandateId }) => mandateId === null,
  pay: ({ status, failedAttempts }) => status === 'ACTIVE' && failedAttempts === 0,
};
