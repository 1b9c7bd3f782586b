import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { type NotedAttention, noteAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderUse } from '../domain/provider-use.ts';
import type { PaymentProvider } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import type { Issued, ProviderOwner, Providers, ServingProvider } from './providers.ts';

/** What finding a provider for background work needs. */
export interface ProviderDeps {
  readonly database: Database;
  readonly providers: Providers;
  readonly log: Logger;
}

/**
 * The provider that issued something.
 * @throws retryable if this worker cannot use it. A worker without its key or its kind must not decide for workers
 *   that have them. No worker may have them, so a person is notified too.
 */
export async function issuerOrRetry(deps: ProviderDeps, issued: Issued): Promise<PaymentProvider> {
  try {
    return await deps.providers.issuerOf(issued);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return lacksProvider(deps, { storeId: null, devMode: issued.devMode, subjectId: issued.provider }, error);
  }
}

/** The provider for something new. @throws retryable like {@link issuerOrRetry}, and if the store has none. */
export async function providerOrRetry<Use extends ProviderUse>(
  deps: ProviderDeps,
  { storeId, devMode }: ProviderOwner,
  use: Use,
): Promise<ServingProvider<Use>> {
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
  { database, log }: ProviderDeps,
  subject: Pick<NotedAttention, 'storeId' | 'devMode' | 'subjectId'>,
  error: Error,
): Promise<never> {
  const now = new Date();
  await noteAttention(database, { kind: 'NO_PROVIDER', ...subject, since: now, now }, log);
  throw ApplicationFailure.retryable(`No payment provider: ${error.message}`, 'NO_PROVIDER');
}
