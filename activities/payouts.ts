import type { PayoutId } from '../src/domain/ids.ts';
import type { PayoutStatus } from '../src/domain/payout.ts';
import { advancePayout, type PayoutDeps } from '../src/payouts/advance-payout.ts';

interface Advance {
  readonly payoutId: PayoutId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Sends payouts and transfers. */
export function createPayoutActivities(deps: PayoutDeps) {
  return {
    /** @see advancePayout */
    advancePayout: ({ payoutId, nowMs }: Advance): Promise<PayoutStatus> =>
      advancePayout(deps, payoutId, new Date(nowMs)),
  };
}
