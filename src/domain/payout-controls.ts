/** The limits that a store sets for the money that it sends in one environment. Null switches one off. */
export interface PayoutControls {
  /** The largest payout or transfer. */
  readonly maxPayoutCents: number | null;
  /** All payouts and transfers of one day in São Paulo, without those that failed. */
  readonly maxDayCents: number | null;
  /** The same for one PIX key. */
  readonly maxPayeeDayCents: number | null;
  /** Anything larger waits until a second person or API key approves it. 0 means every payout. */
  readonly approvalAboveCents: number | null;
  /** How long money for a new PIX key waits. A second person or API key can release it sooner. */
  readonly newPayeeWaitHours: number | null;
  /**
   * How long people wait before they can send money after another member allowed it. Another owner can release them
   * earlier.
   */
  readonly newMemberWaitHours: number | null;
  /** Whether people need a second factor to send money, and to approve it. */
  readonly requiresSecondFactor: boolean;
}

/** All are off. */
export const NO_PAYOUT_CONTROLS: PayoutControls = {
  maxPayoutCents: null,
  maxDayCents: null,
  maxPayeeDayCents: null,
  approvalAboveCents: null,
  newPayeeWaitHours: null,
  newMemberWaitHours: null,
  requiresSecondFactor: false,
};

/**
 * The controls of a store that never changed them. Only people in the dashboard wait, and only for real money: API
 * keys behave as documented.
 */
export function defaultControls(devMode: boolean): PayoutControls {
  return devMode ? NO_PAYOUT_CONTROLS : { ...NO_PAYOUT_CONTROLS, newMemberWaitHours: 24 };
}

/** The longest wait for a new PIX key, and of a new member. */
export const MAX_WAIT_HOURS = 168;

/** Whether a change allows payouts that were refused, or had to wait, before. */
export function isWeaker(before: PayoutControls, after: PayoutControls): boolean {
  const isHigher = (limit: 'maxPayoutCents' | 'maxDayCents' | 'maxPayeeDayCents' | 'approvalAboveCents') =>
    (after[limit] ?? Number.POSITIVE_INFINITY) > (before[limit] ?? Number.POSITIVE_INFINITY);
  return (
    isHigher('maxPayoutCents') ||
    isHigher('maxDayCents') ||
    isHigher('maxPayeeDayCents') ||
    isHigher('approvalAboveCents') ||
    (after.newPayeeWaitHours ?? 0) < (before.newPayeeWaitHours ?? 0) ||
    (after.newMemberWaitHours ?? 0) < (before.newMemberWaitHours ?? 0) ||
    (before.requiresSecondFactor && !after.requiresSecondFactor)
  );
}
