import type { PaymentProvider } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { type Providers, railsOfOne } from '../../../src/providers/providers.ts';

/** A service whose stores have no accounts: one provider in dev environments, none for real money. */
export function onlyInDevelopment(development: PaymentProvider): Providers {
  return {
    railsOf: async ({ devMode }) => (devMode ? railsOfOne(development) : new Map()),
    issuerOf: async ({ devMode, provider }) => {
      if (devMode) return development;
      throw new ProviderError('UNAUTHORIZED', `there is no provider account ${provider}`);
    },
  };
}
