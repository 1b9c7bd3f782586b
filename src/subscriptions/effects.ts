import type { ChargeDeps } from '../charges/effects.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { ChargeId, SubscriptionId } from '../domain/ids.ts';
import type { PlatformFees } from '../domain/platform-fee.ts';

/** What a subscription causes at the charges of its cycles. A repeated call has no effect. */
export interface SubscriptionEffects extends Pick<ChargeDeps, 'startDelivery' | 'cancelCharge'> {
  /** Starts the workflow of an attempt at a cycle; succeeds if it was already started. */
  readonly startAttempt: (charge: Charge, subscriptionId: SubscriptionId, now: Date) => Promise<void>;
  /** Has the workflow of a debit read its row, which has changed. Never rejects: the auditor wakes it otherwise. */
  readonly wakeDebit: (id: ChargeId) => void;
}

/** What the transitions of a subscription work with. */
export interface SubscriptionDeps
  extends SubscriptionEffects,
    Pick<ChargeDeps, 'database' | 'providers' | 'publicUrl' | 'log'> {
  /** What the platform keeps of a payment. */
  readonly platformFee: PlatformFees;
}
