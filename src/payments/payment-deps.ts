import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/orm.ts';
import type { Providers } from '../providers/providers.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';
import type { WorkflowStarter } from '../temporal/workflow-starter.ts';

/** What a payment through a checkout is made with, whether its payer clicked or the API simulates one. */
export interface CheckoutDeps {
  readonly config: Pick<Config, 'platformFee' | 'mail'>;
  readonly database: Database;
  readonly temporal: Client;
  readonly providers: Providers;
  readonly starter: Pick<WorkflowStarter, 'startSoon'>;
  readonly chargeUpdates: Pick<ChargeUpdates, 'authorize'>;
  readonly log: Logger;
}

/** When and by which request a payment is begun. */
export interface PaymentMoment {
  readonly now: Date;
  readonly requestId: string | null;
  /** In which language its payer is mailed a receipt; null, or left out, for no mail. */
  readonly receiptLanguage?: string | null;
}
