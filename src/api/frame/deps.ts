import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { ClockRuns } from '../../clock/start-clock-run.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/orm.ts';
import type { ChargeId, DeliveryId, MandateId } from '../../domain/ids.ts';
import type { Intake } from '../../notifications/intake.ts';
import type { SandboxCardNotices } from '../../notifications/sandbox-card-notices.ts';
import type { SandboxDisputeNotices } from '../../notifications/sandbox-dispute-notices.ts';
import type { SandboxPayments } from '../../notifications/sandbox-payments.ts';
import type { ProviderKind } from '../../providers/provider-kind.ts';
import type { Providers } from '../../providers/providers.ts';
import type { SandboxPayerAnswers } from '../../providers/sandbox/sandbox-mandates.ts';
import type { SecretsKeys } from '../../secrets/secrets-keys.ts';
import type { BusyEnvironments } from '../../temporal/busy-environments.ts';
import type { ChargeUpdates } from '../../temporal/charge.ts';
import type { CheckoutUpdates } from '../../temporal/checkout.ts';
import type { PaymentsUnderWay } from '../../temporal/payments-under-way.ts';
import type { SubscriptionUpdates } from '../../temporal/subscription.ts';
import type { WorkflowStarter } from '../../temporal/workflow-starter.ts';
import type { EventStreams } from '../events/event-streams.ts';

/** Dependencies of the API, created by entry points and tests. */
export interface AppDeps {
  readonly config: Pick<
    Config,
    | 'allowPrivateEndpoints'
    | 'allowLoopbackEndpoints'
    | 'platformFee'
    | 'mail'
    | 'checkoutExpiresAfterDays'
    | 'rateLimit'
    | 'tracing'
    | 'limitAnonymousTraffic'
    | 'trustedProxies'
    | 'temporalUiUrl'
    | 'notifications'
    | 'errorCompatibility'
    | 'maxConnections'
  >;
  readonly database: Database;
  readonly temporal: Client;
  readonly providers: Providers;
  /** The kinds of accounts that stores can add, by their names. */
  readonly providerKinds: Readonly<Record<string, ProviderKind>>;
  /** The environments for which this process has work. */
  readonly busy: Pick<BusyEnvironments, 'note' | 'noteRead' | 'othersThan' | 'readersOtherThan' | 'any'>;
  readonly paymentsUnderWay: Pick<PaymentsUnderWay, 'isProgressing' | 'turnOfCreate'>;
  readonly starter: Pick<WorkflowStarter, 'startSoon'>;
  readonly chargeUpdates: Pick<ChargeUpdates, 'askProviderNow' | 'authorize' | 'cancel' | 'refund'>;
  readonly checkoutUpdates: Pick<CheckoutUpdates, 'cancel'>;
  readonly subscriptionUpdates: Pick<
    SubscriptionUpdates,
    | 'attemptNow'
    | 'cancel'
    | 'changePlan'
    | 'changeTrial'
    | 'scheduleCancellation'
    | 'pause'
    | 'pay'
    | 'resume'
  >;
  readonly clockRuns: Pick<ClockRuns, 'beginSoon'>;
  /** Receives notifications of providers. */
  readonly intake: Pick<Intake, 'receivePayment' | 'receiveDispute' | 'receiveNews'>;
  readonly sandboxPayments: Pick<SandboxPayments, 'payCharge'>;
  readonly sandboxDisputes: Pick<SandboxDisputeNotices, 'open' | 'decide'>;
  readonly sandboxCards: Pick<SandboxCardNotices, 'replace'>;
  readonly sandboxPayers: SandboxPayerAnswers;
  /** Has the workflow of a debit read its row, which has changed. Never rejects: the auditor wakes it otherwise. */
  readonly wakeDebit: (id: ChargeId) => void;
  /** Asks the provider how a mandate is, and records it with all that follows. */
  readonly followMandate: (id: MandateId, now: Date) => Promise<unknown>;
  /** Business time; tests can set it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Open event streams of this process. The code that created them must close them. */
  readonly eventStreams: EventStreams;
  /** Encryption keys for webhook secrets. */
  readonly secretsKeys: SecretsKeys;
  /** The base URL for payers and integrators, without a trailing slash. */
  readonly publicUrl: string;
  /** The base URL for notifications of providers, without a trailing slash. */
  readonly notificationsUrl: string;
  /** Downloads files that payers bought, from public addresses only. */
  readonly dispatcher: Dispatcher;
  /**
   * Makes the delivery's workflow retry now, whether it waits or has ended. Rejects if Temporal is
   * unreachable.
   */
  readonly resendDelivery: (deliveryId: DeliveryId) => Promise<void>;
}
