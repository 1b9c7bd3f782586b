import type { Charge } from '../database/entities/charge.ts';
import type { Debit } from '../database/entities/debit.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { SubscriptionDeps } from '../subscriptions/effects.ts';

/** What mandates and their debits cause elsewhere, after a commit. A repeated call has no effect. */
export interface MandateEffects {
  /** Starts the workflow of a debit; succeeds if it was already started. */
  readonly startDebit: (debit: Debit) => Promise<void>;
  /** Has the workflow of a subscription read its row, which has changed. */
  readonly wakeSubscription: (subscription: Subscription) => Promise<void>;
  /** Has the workflow of a charge record a payment that its provider knows: it may have to go back. */
  readonly confirmPayment: (charge: Charge, providerPaymentId: string) => Promise<void>;
}

export interface MandateDeps extends SubscriptionDeps, MandateEffects {}
