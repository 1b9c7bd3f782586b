import { ApplicationFailure } from '@temporalio/common';
import { type PaymentProvider, providerOf } from '../src/providers/provider.ts';
import type { ActivityDeps } from './deps.ts';

/**
 * The rail of an environment.
 * @throws retryable where this worker has none: one that lacks the provider's settings must not decide for those that have them.
 */
export function requireProvider({ providers }: ActivityDeps, devMode: boolean): PaymentProvider {
  const provider = providerOf(providers, devMode);
  if (provider === null) throw ApplicationFailure.retryable('No payment provider configured', 'NO_PROVIDER');
  return provider;
}
