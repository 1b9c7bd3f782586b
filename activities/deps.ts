import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import { type NotedAttention, noteAttention } from '../src/database/attention.ts';
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
import type { ProviderUse } from '../src/domain/provider-use.ts';
import type { ListedRound } from '../src/domain/reconciliation.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import type { PaymentProvider } from '../src/providers/provider.ts';
import { ProviderError } from '../src/providers/provider-error.ts';
import type { Issued, ProviderOwner, Providers } from '../src/providers/providers.ts';
import type { SecretsKeys } from '../src/secrets/secrets-keys.ts';
import type { PaymentAccepted } from '../workflows/checkout.contract.ts';
import type { ChargeEnded } from '../workflows/subscription.contract.ts';

/** What activities work with. Tests inject failing providers and endpoints. */
export interface ActivityDeps {
  readonly database: Database;
  readonly providers: Providers;
  /** The URL at which payers reach this service, without a trailing slash. */
  readonly publicUrl: string;
  /** Starts the delivery's workflow; succeeds if it was already started. */
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Attempts a delivery now, whether it waits or has ended. */
  readonly resendDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Closes a charge through its own workflow; returns its status afterwards. */
  readonly cancelCharge: (charge: Charge) => Promise<ChargeStatus>;
  /** Starts the workflow of an attempt at a cycle; succeeds if it was already started. */
  readonly startAttempt: (charge: Charge, subscriptionId: SubscriptionId, now: Date) => Promise<void>;
  /** Waits until a charge's workflow has ended; returns its status, or null if it was terminated. */
  readonly chargeOutcome: (chargeId: ChargeId) => Promise<ChargeStatus | null>;
  /** Starts the workflow of a subscription; succeeds if it was already started. */
  readonly startSubscription: (subscription: Subscription) => Promise<void>;
  /** Signals to the workflow of a subscription how a charge ended; does nothing if that workflow has ended. */
  readonly notifySubscription: (id: SubscriptionId, ended: ChargeEnded) => Promise<void>;
  /** Schedules the settlement of a store's money for that instant. A repeated call has no effect. */
  readonly startSettlement: (owner: LedgerOwner, settlesAt: Date) => Promise<void>;
  /** How long events are kept; null means for ever. */
  readonly eventRetentionDays: number | null;
  /** What the platform keeps of a payment. */
  readonly platformFee: PlatformFees;
  /**
   * Signals to a checkout's workflow that a charge has made it PAID. A repeated signal has no effect. `reopens`:
   * also starts a run if the last one has ended.
   */
  readonly notifyCheckout: (checkout: Checkout, accepted: PaymentAccepted, reopens: boolean) => Promise<void>;
  /** Finds overdue work and resumes it. `isOver` is called now and then, and throws to stop it. */
  readonly audit: (input: AuditInput, isOver: () => void) => Promise<AuditReport>;
  /** Ingests payments that providers list and that were never notified. `isOver` as in `audit`. */
  readonly takeListed: (now: Date, isOver: () => void) => Promise<ListedRound>;
  /**
   * Advances a store's clock for some seconds; null if this worker already advances as many as it may. `isOver` as
   * in `audit`.
   */
  readonly advanceClock: (storeId: StoreId, isOver: () => void) => Promise<ClockProgress | null>;
  /** Sends webhooks; refuses addresses that are not public. */
  readonly dispatcher: Dispatcher;
  /** `<service name>/<version>`, sent as `User-Agent`. */
  readonly userAgent: string;
  /** Null unless webhooks are also signed as clients of API v1/v2 expect (contract section 7). */
  readonly webhookCompatibilityKey: string | null;
  /**
   * Makes the calling run ask again after this time, in milliseconds, because the provider has not finished. Set if
   * a charge's run calls and can ask again. Otherwise the activity itself is retried until there is an answer.
   */
  readonly askAgain?: (afterMs: number) => void;
  /**
   * Makes the calling run look the payment up again, because the provider does not know it yet; set like {@link
   * askAgain}.
   */
  readonly lookUpAgain?: () => void;
  /** Marks the calling run as one that needs a person; set if a charge's run calls. */
  readonly markRun?: () => void;
  readonly log: Logger;
  /** Decrypt webhooks' secrets. */
  readonly secretsKeys: SecretsKeys;
}

/**
 * The provider that issued something.
 * @throws retryable if this worker cannot use it. A worker without its key or its kind must not decide for workers
 *   that have them. No worker may have them, so a person is notified too.
 */
export async function requireIssuer(deps: ActivityDeps, issued: Issued): Promise<PaymentProvider> {
  try {
    return await deps.providers.issuerOf(issued);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return lacksProvider(deps, { storeId: null, devMode: issued.devMode, subjectId: issued.provider }, error);
  }
}

/** The provider for something new. @throws retryable like {@link requireIssuer}, and if the store has none. */
export async function requireProvider(
  deps: ActivityDeps,
  { storeId, devMode }: ProviderOwner,
  use: ProviderUse,
): Promise<PaymentProvider> {
  const subject = { storeId, devMode, subjectId: storeId };
  try {
    const provider = (await deps.providers.providersOf({ storeId, devMode })).get(use);
    return provider ?? (await lacksProvider(deps, subject, new Error(`no provider account serves ${use}`)));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return lacksProvider(deps, subject, error);
  }
}

async function lacksProvider(
  { database, log }: ActivityDeps,
  subject: Pick<NotedAttention, 'storeId' | 'devMode' | 'subjectId'>,
  error: Error,
): Promise<never> {
  const now = new Date();
  await noteAttention(database, { kind: 'NO_PROVIDER', ...subject, since: now, now }, log);
  throw ApplicationFailure.retryable(`No payment provider: ${error.message}`, 'NO_PROVIDER');
}
