import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { noteAttention } from '../src/database/attention.ts';
import type { Charge } from '../src/database/entities/charge.ts';
import type { Checkout } from '../src/database/entities/checkout.ts';
import type { DeliveryToStart } from '../src/database/entities/delivery.ts';
import type { Subscription } from '../src/database/entities/subscription.ts';
import type { LedgerOwner } from '../src/database/ledger/ledger.ts';
import type { Database } from '../src/database/orm.ts';
import type { AuditInput, AuditReport } from '../src/domain/audit.ts';
import type { ChargeStatus } from '../src/domain/charge.ts';
import type { ChargeId, StoreId, SubscriptionId } from '../src/domain/ids.ts';
import type { PlatformFees } from '../src/domain/platform-fee.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import { type PaymentProvider, type Providers, providerOf } from '../src/providers/provider.ts';
import type { SecretsKeys } from '../src/secrets/secrets-keys.ts';
import type { PaymentAccepted } from '../workflows/checkout.contract.ts';
import type { ChargeEnded } from '../workflows/subscription.contract.ts';

/** What activities work with; tests hand in a provider or endpoint that behaves badly. */
export interface ActivityDeps {
  readonly database: Database;
  readonly providers: Providers;
  /** Where payers reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Starts the delivery's workflow; already started counts as success. */
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Has a delivery attempted now, whether it waits or has ended. */
  readonly resendDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Has a charge closed by its own workflow; answers with its status afterwards. */
  readonly cancelCharge: (charge: Charge) => Promise<ChargeStatus>;
  /** Starts the workflow of an attempt at a cycle; started already is a success. */
  readonly startAttempt: (charge: Charge, subscriptionId: SubscriptionId, now: Date) => Promise<void>;
  /** Waits until a charge's workflow has ended; answers with its status, or null where it was terminated. */
  readonly chargeOutcome: (chargeId: ChargeId) => Promise<ChargeStatus | null>;
  /** Starts the workflow of a subscription; started already is a success. */
  readonly startSubscription: (subscription: Subscription) => Promise<void>;
  /** Tells the workflow of a subscription how a charge ended; one that has ended itself need not know. */
  readonly tellSubscription: (id: SubscriptionId, ended: ChargeEnded) => Promise<void>;
  /** Has what a store is paid become available at that instant; asked for twice is asked for once. */
  readonly startSettlement: (owner: LedgerOwner, settlesAt: Date) => Promise<void>;
  /** How long events are kept; null for ever. */
  readonly eventRetentionDays: number | null;
  /** What the platform keeps of a payment. */
  readonly platformFee: PlatformFees;
  /**
   * Tells a checkout's workflow that a charge has made it PAID; told twice is told once. `reopens`: also one
   * that has ended.
   */
  readonly tellCheckout: (checkout: Checkout, accepted: PaymentAccepted, reopens: boolean) => Promise<void>;
  /** Finds what is overdue and drives it on. `isOver` is asked now and then, and throws where it should end. */
  readonly audit: (input: AuditInput, isOver: () => void) => Promise<AuditReport>;
  /** Has a store's clock go on for some seconds. `isOver` is asked now and then, and throws where it should end. */
  readonly advanceClock: (storeId: StoreId, isOver: () => void) => Promise<ClockProgress>;
  /** Sends webhooks; refuses addresses that are not public. */
  readonly dispatcher: Dispatcher;
  /** `<service name>/<version>`, sent as `User-Agent`. */
  readonly userAgent: string;
  /** Null unless webhooks are also signed as clients of the original service expect (contract section 7). */
  readonly webhookCompatibilityKey: string | null;
  /** Has the run that asked be found as one that needs a person; set where a charge's run asks. */
  readonly markRun?: () => void;
  readonly log: Logger;
  /** Decrypt webhooks' secrets. */
  readonly secretsKeys: SecretsKeys;
}

/**
 * The rail of an environment.
 * @throws retryable where this worker has none: one that lacks the provider's settings must not decide for
 *   those that have them. What waits for them waits for ever, so a person is asked for.
 */
export async function requireProvider(
  { providers, database, log }: ActivityDeps,
  devMode: boolean,
): Promise<PaymentProvider> {
  const provider = providerOf(providers, devMode);
  if (provider !== null) return provider;
  const now = new Date();
  const subjectId = devMode ? 'dev' : 'prod';
  const noted = { kind: 'NO_PROVIDER', subjectId, storeId: null, devMode, since: now, now } as const;
  await noteAttention(database, noted, log);
  throw ApplicationFailure.retryable('No payment provider configured', 'NO_PROVIDER');
}
