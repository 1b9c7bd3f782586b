import type { Logger } from 'pino';
import type { PaymentAccepted } from '../../workflows/checkout.contract.ts';
import type { ChargeEnded } from '../../workflows/subscription.contract.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import type { Providers } from '../providers/providers.ts';

/** What a transition of a charge causes elsewhere, after its commit. A repeated call has no effect. */
export interface ChargeEffects {
  /** Starts the delivery's workflow; succeeds if it was already started. */
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Closes a charge through its own workflow; returns its status afterwards. */
  readonly cancelCharge: (charge: Charge) => Promise<ChargeStatus>;
  /** Starts the workflow of a subscription; succeeds if it was already started. */
  readonly startSubscription: (subscription: Subscription) => Promise<void>;
  /** Signals to the workflow of a subscription how a charge ended; does nothing if that workflow has ended. */
  readonly notifySubscription: (id: SubscriptionId, ended: ChargeEnded) => Promise<void>;
  /**
   * Signals to a checkout's workflow that a charge has made it PAID. `reopens`: also starts a run if the last one
   * has ended.
   */
  readonly notifyCheckout: (checkout: Checkout, accepted: PaymentAccepted, reopens: boolean) => Promise<void>;
  /** Schedules the settlement of a store's money for that instant. */
  readonly startSettlement: (owner: StoreEnvironment, settlesAt: Date) => Promise<void>;
}

/** What the calling run can do if a provider has not finished. Absent functions are not possible there. */
export interface ChargeRun {
  /**
   * Makes the calling run ask again after this time, in milliseconds, because the provider has not finished. Set if
   * a charge's run calls and can ask again. Otherwise the activity itself is retried until there is an answer.
   */
  readonly askAgain?: (afterMs: number) => void;
  /** Makes the calling run look the payment up again, because the provider does not know it yet. */
  readonly lookUpAgain?: () => void;
  /**
   * Makes the calling run ask again after this time, in milliseconds, or as soon as the payer is back, because the
   * payer's bank waits for a confirmation until that instant.
   */
  readonly awaitPayer?: (pollAfterMs: number, until: Date) => void;
  /** Marks the calling run as one that needs a person. */
  readonly markRun?: () => void;
}

/** What the transitions of a charge work with. */
export interface ChargeDeps extends ChargeEffects, ChargeRun {
  readonly database: Database;
  readonly providers: Providers;
  /** The URL at which payers reach this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}
