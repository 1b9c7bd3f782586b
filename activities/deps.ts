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
  readonly notifySubscription: (id: SubscriptionId, ended: ChargeEnded) => Promise<void>;
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
  readonly notifyCheckout: (checkout: Checkout, accepted: PaymentAccepted, reopens: boolean) => Promise<void>;
  /** Finds what is overdue and drives it on. `isOver` is asked now and then, and throws where it should end. */
  readonly audit: (input: AuditInput, isOver: () => void) => Promise<AuditReport>;
  /** Takes in what providers list and nobody has told. `isOver` as of `audit`. */
  readonly takeListed: (now: Date, isOver: () => void) => Promise<ListedRound>;
  /**
   * Has a store's clock go on for some seconds; null where this worker advances as many as it may. `isOver` is asked now
   * and then, and throws where it should end.
   */
  readonly advanceClock: (storeId: StoreId, isOver: () => void) => Promise<ClockProgress | null>;
  /** Sends webhooks; refuses addresses that are not public. */
  readonly dispatcher: Dispatcher;
  /** `<service name>/<version>`, sent as `User-Agent`. */
  readonly userAgent: string;
  /** Null unless webhooks are also signed as clients of the original service expect (contract section 7). */
  readonly webhookCompatibilityKey: string | null;
  /**
   * Has the run that asked ask again after this time, in milliseconds, as the provider has not finished; set where a
   * charge's run can. Where it is not, the activity itself is tried again until there is an answer.
   */
  readonly askAgain?: (afterMs: number) => void;
  /** Has the run that asked look the payment up again, as the provider does not know it yet; set as {@link askAgain}. */
  readonly lookUpAgain?: () => void;
  /** Has the run that asked be found as one that needs a person; set where a charge's run asks. */
  readonly markRun?: () => void;
  readonly log: Logger;
  /** Decrypt webhooks' secrets. */
  readonly secretsKeys: SecretsKeys;
}

/**
 * The provider of what exists already.
 * @throws retryable where this worker cannot use it: one that lacks a key or knows no such kind must not decide for
 *   those that have them. What waits for them waits for ever, so a person is asked for.
 */
export async function requireIssuer(deps: ActivityDeps, issued: Issued): Promise<PaymentProvider> {
  try {
    return await deps.providers.issuerOf(issued);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return lacksProvider(deps, { storeId: null, devMode: issued.devMode, subjectId: issued.provider }, error);
  }
}

/** The rail that something new goes to. @throws retryable as {@link requireIssuer}, and where the store has none. */
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
