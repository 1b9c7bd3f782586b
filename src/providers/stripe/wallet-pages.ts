import type { WalletPages, WalletState } from '../ports/wallet-pages.ts';
import type { StripeClient } from './stripe-client.ts';
import { readDomain, readList, type StripeDomain } from './wire.ts';

/** Stripe shows Apple Pay and Google Pay only on registered domains (docs.stripe.com/payments/payment-methods/pmd-registration). */
export function stripeWalletPages(client: StripeClient): WalletPages {
  const find = async (host: string): Promise<StripeDomain | null> => {
    const { body } = await client.call('listing payment method domains', (sdk) =>
      sdk.paymentMethodDomains.list({ domain_name: host, limit: 1 }),
    );
    const [domain] = readList(body).data;
    return domain === undefined ? null : readDomain(domain);
  };
  return {
    async register(host) {
      const known = await find(host);
      const { body } =
        known === null
          ? await client.call('registering a payment method domain', (sdk) =>
              sdk.paymentMethodDomains.create({ domain_name: host, enabled: true }),
            )
          : await client.call('enabling a payment method domain', (sdk) =>
              sdk.paymentMethodDomains.update(known.id, { enabled: true }),
            );
      const states = statesOf(readDomain(body));
      if (states.every(({ isActive }) => isActive)) return states;
      const { body: checked } = await client.call('validating a payment method domain', (sdk) =>
        sdk.paymentMethodDomains.validate(readDomain(body).id),
      );
      return statesOf(readDomain(checked));
    },
    find: async (host) => statesOf(await find(host)),
  };
}

function statesOf(domain: StripeDomain | null): readonly WalletState[] {
  const isEnabled = domain?.enabled === true;
  const stateOf = (wallet: WalletState['wallet'], state: StripeDomain['apple_pay'] | undefined) => {
    const isActive = isEnabled && state?.status === 'active';
    return { wallet, isActive, problem: isActive ? null : (state?.status_details?.error_message ?? null) };
  };
  return [stateOf('APPLE_PAY', domain?.apple_pay), stateOf('GOOGLE_PAY', domain?.google_pay)];
}
