import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/orm.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { SandboxPayments } from '../notifications/sandbox-payments.ts';
import type { Providers } from '../providers/provider.ts';
import type { ChargeStarter } from '../starts/charge-starter.ts';
import type { ChargeUpdates } from '../starts/charge-updates.ts';

/** What the API is built from; entry points and tests put it together. */
export interface AppDeps {
  readonly config: Pick<Config, 'allowPrivateEndpoints' | 'platformFeeCents'>;
  readonly database: Database;
  readonly temporal: Client;
  readonly providers: Providers;
  readonly starter: Pick<ChargeStarter, 'startSoon'>;
  readonly chargeUpdates: Pick<ChargeUpdates, 'cancel'>;
  readonly sandboxPayments: Pick<SandboxPayments, 'pay'>;
  /** Business time, so that tests can choose it. */
  readonly clock: () => Date;
  readonly log: Logger;
  /** Where payers and integrators reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Makes the delivery's workflow try again now, whether it is waiting or has ended. Rejects when Temporal is out of reach. */
  readonly resendDelivery: (deliveryId: DeliveryId) => Promise<void>;
}
