import type { PaymentProvider } from '../../providers/provider.ts';

/** Whether a provider asks payers to authorize debits without a payment. @param provider of the store's PIX, if it has one. */
export function asksForConsent(provider: PaymentProvider | undefined): boolean {
  return provider?.mandates?.codes.includes('CONSENT') ?? false;
}
