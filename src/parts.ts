import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from './database/orm.ts';
import { PaymentIntake } from './notifications/payment-intake.ts';
import { SandboxPayments } from './notifications/sandbox-payments.ts';
import type { Providers } from './providers/provider.ts';
import { SandboxBank } from './providers/sandbox/sandbox-bank.ts';
import { createSandboxProvider } from './providers/sandbox/sandbox-provider.ts';
import { ChargeUpdates } from './starts/charge-updates.ts';
import { CheckoutUpdates } from './starts/checkout-updates.ts';
import { SubscriptionUpdates } from './starts/subscription-updates.ts';
import { WorkflowStarter } from './starts/workflow-starter.ts';

/** What API and worker are both built from. */
export interface Parts {
  readonly database: Database;
  readonly client: Client;
  readonly providers: Providers;
  readonly starter: WorkflowStarter;
  readonly chargeUpdates: ChargeUpdates;
  readonly checkoutUpdates: CheckoutUpdates;
  readonly subscriptionUpdates: SubscriptionUpdates;
  readonly sandboxPayments: SandboxPayments;
  readonly log: Logger;
}

/** Wires the parts. No provider for production keys is built in: one is added here, behind the same port. */
export function createParts(database: Database, client: Client, taskQueue: string, log: Logger): Parts {
  const bank = new SandboxBank(database);
  const starter = new WorkflowStarter(client, taskQueue, database, log);
  const chargeUpdates = new ChargeUpdates(client, taskQueue, starter);
  const intake = new PaymentIntake(database, chargeUpdates);
  return {
    database,
    client,
    providers: { development: createSandboxProvider(bank), production: null },
    starter,
    chargeUpdates,
    checkoutUpdates: new CheckoutUpdates(client, taskQueue, starter),
    subscriptionUpdates: new SubscriptionUpdates(client, taskQueue, starter),
    sandboxPayments: new SandboxPayments(bank, intake, database, log),
    log,
  };
}
