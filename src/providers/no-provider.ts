import type { PaymentProvider } from './provider.ts';
import { unsupported } from './provider-error.ts';

/** The `provider` of a payment of nothing, which involves no provider. */
export const NO_PROVIDER = 'none';

const NEVER_PAID = unsupported('be paid');

/** The provider of payments of nothing; it is never called. */
export const noProvider: PaymentProvider = {
  name: NO_PROVIDER,
  charges: {
    refunds: { partial: false, asynchronous: false, windowDays: null },
    findPayment: NEVER_PAID,
    findByReference: NEVER_PAID,
    close: NEVER_PAID,
    closeUnstored: NEVER_PAID,
    findUnstored: NEVER_PAID,
    refund: NEVER_PAID,
  },
};
