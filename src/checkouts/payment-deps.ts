import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/orm.ts';
import type { Providers } from '../providers/providers.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';
import type { WorkflowStarter } from '../temporal/workflow-starter.ts';

/** What a payer's pages ask of a charge's run. */
export type PayerUpdates = Pick<ChargeUpdates, 'askProviderNow' | 'authorize'>;

/** What a payment through a checkout needs, on its page or simulated by the API. */
export interface CheckoutDeps {
  readonly config: Pick<Config, 'platformFee' | 'mail'>;
  readonly database: Database;
  readonly temporal: Client;
  readonly providers: Providers;
  readonly starter: Pick<WorkflowStarter, 'startSoon'>;
  readonly chargeUpdates: Pick<ChargeUpdates, 'authorize'>;
  readonly log: Logger;
}

/** When a payment begins, and by which request. */
export interface PaymentMoment {
  readonly now: Date;
  readonly requestId: string | null;
  /** The language of the payer's page, for mails; null or absent for no mail. */
  readonly receiptLanguage?: string | null;
}
