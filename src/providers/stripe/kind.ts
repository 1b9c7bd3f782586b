import type { ProviderKind } from '../provider-kind.ts';
import { readStripeAccount } from './account.ts';
import { STRIPE_OPTIONS } from './options.ts';
import { createStripeProvider, STRIPE_CAPABILITIES } from './stripe-provider.ts';

/** Cards and boletos through Stripe, for an account of Stripe in Brazil. */
export const STRIPE: ProviderKind = {
  profiles: ['stripe'],
  // Stripe pays out to the bank by its own schedule.
  ownAccountSetting: null,
  environmentSetting: 'stripeMode',
  nameOf: () => 'Stripe',
  optionsOf: () => STRIPE_OPTIONS,
  describe: () => STRIPE_CAPABILITIES,
  create: (account) => createStripeProvider(readStripeAccount(account)),
};
