import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { AccountProviders } from '../accounts/account-providers.ts';
import { ClockRuns } from '../clock/start-clock-run.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/orm.ts';
import { Intake } from '../notifications/intake.ts';
import { SandboxCardNotices } from '../notifications/sandbox-card-notices.ts';
import { SandboxDisputeNotices } from '../notifications/sandbox-dispute-notices.ts';
import { SandboxPayments } from '../notifications/sandbox-payments.ts';
import { PROVIDER_KINDS } from '../providers/kinds.ts';
import type { ProviderKind } from '../providers/provider-kind.ts';
import type { Providers } from '../providers/providers.ts';
import { SandboxBank } from '../providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../providers/sandbox/sandbox-disputes.ts';
import { type SandboxPayerAnswers, sandboxMandates } from '../providers/sandbox/sandbox-mandates.ts';
import { createSandboxProvider } from '../providers/sandbox/sandbox-provider.ts';
import { SandboxTransfers } from '../providers/sandbox/sandbox-transfers.ts';
import { SecretsKeys } from '../secrets/secrets-keys.ts';
import { BusyEnvironments } from '../temporal/busy-environments.ts';
import { ChargeUpdates } from '../temporal/charge.ts';
import { CheckoutUpdates } from '../temporal/checkout.ts';
import { deliveryWorkflowStart } from '../temporal/delivery.ts';
import { PaymentsUnderWay } from '../temporal/payments-under-way.ts';
import { SettlementStarts } from '../temporal/settlement.ts';
import { SubscriptionUpdates } from '../temporal/subscription.ts';
import { type TaskQueues, taskQueuesOf } from '../temporal/task-queues.ts';
import { WorkflowStarter } from '../temporal/workflow-starter.ts';
import { EndpointCapacity } from '../webhooks/endpoint-capacity.ts';

/** Dependencies that API and worker share. */
export interface Parts {
  readonly database: Database;
  readonly client: Client;
  readonly queues: TaskQueues;
  readonly providers: Providers;
  /** The kinds of accounts that stores can add. */
  readonly providerKinds: Readonly<Record<string, ProviderKind>>;
  /** The environments for which this process has work. */
  readonly busy: BusyEnvironments;
  readonly paymentsUnderWay: PaymentsUnderWay;
  readonly starter: WorkflowStarter;
  /** What this process knows of endpoints of webhooks. */
  readonly endpoints: EndpointCapacity;
  readonly chargeUpdates: ChargeUpdates;
  readonly checkoutUpdates: CheckoutUpdates;
  readonly subscriptionUpdates: SubscriptionUpdates;
  readonly settlementStarts: SettlementStarts;
  readonly clockRuns: ClockRuns;
  readonly intake: Intake;
  readonly sandboxPayments: SandboxPayments;
  readonly sandboxDisputes: SandboxDisputeNotices;
  readonly sandboxCards: SandboxCardNotices;
  /** What payers of the sandbox do to their mandates. */
  readonly sandboxPayers: SandboxPayerAnswers;
  /** Encryption keys for the secrets of webhooks and accounts. */
  readonly secretsKeys: SecretsKeys;
  readonly log: Logger;
}

/** Connects the parts. In production, charges and payouts go to the stores' accounts. */
export function createParts(
  database: Database,
  client: Client,
  queues: TaskQueues,
  secretsKeys: SecretsKeys,
  log: Logger,
): Parts {
  const bank = new SandboxBank(database);
  const disputes = new SandboxDisputes(database);
  const mandates = sandboxMandates(database, bank);
  const sandbox = createSandboxProvider(bank, disputes, new SandboxTransfers(database), mandates);
  const busy = new BusyEnvironments();
  const starter = new WorkflowStarter(client, queues, database, log, busy);
  const paymentsUnderWay = new PaymentsUnderWay();
  const chargeUpdates = new ChargeUpdates(client, queues, starter, paymentsUnderWay);
  const intake = new Intake(database, chargeUpdates);
  return {
    database,
    client,
    queues,
    providerKinds: PROVIDER_KINDS,
    providers: new AccountProviders({ database, secretsKeys, kinds: PROVIDER_KINDS, sandbox, log }),
    secretsKeys,
    busy,
    paymentsUnderWay,
    starter,
    endpoints: new EndpointCapacity(),
    chargeUpdates,
    checkoutUpdates: new CheckoutUpdates(client, queues, starter),
    subscriptionUpdates: new SubscriptionUpdates(client, queues, starter),
    settlementStarts: new SettlementStarts(client, queues),
    clockRuns: new ClockRuns(client, queues, log),
    intake,
    sandboxPayments: new SandboxPayments(bank, intake, log),
    sandboxDisputes: new SandboxDisputeNotices(disputes, intake, log),
    sandboxCards: new SandboxCardNotices(
      { database, startDelivery: (delivery) => starter.startSoon(deliveryWorkflowStart(delivery)) },
      bank,
    ),
    sandboxPayers: mandates,
    log,
  };
}

/** The parts of a process, by its configuration. */
export function configuredParts(
  { temporal, secretsKeys }: Pick<Config, 'temporal' | 'secretsKeys'>,
  database: Database,
  client: Client,
  log: Logger,
): Parts {
  return createParts(database, client, taskQueuesOf(temporal.taskQueue), new SecretsKeys(secretsKeys), log);
}
