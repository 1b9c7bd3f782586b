import type { PaymentProvider } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { type Providers, providersOfOne } from '../../../src/providers/providers.ts';

/** A service whose stores have no accounts: one provider in dev environments, none for real money. */
export function onlyInDevelopment(development: PaymentProvider): Providers {
  return {
    providersOf: async ({ devMode }) => (devMode ? providersOfOne(development) : new Map()),
    issuerOf: async ({ devMode, provider }) => {
      if (devMode) return development;
      throw new ProviderError('UNAUTHORIZED', `there is no provider account ${provider}`);
    },
  };
}
