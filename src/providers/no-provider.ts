import type { PaymentProvider } from './provider.ts';
import { unsupported } from './provider-error.ts';

/** The `provider` of a payment of nothing, which involves no provider. */
export const NO_PROVIDER = 'none';

/** The provider of payments of nothing; it is never called. */
export const noProvider: PaymentProvider = {
  name: NO_PROVIDER,
  describe: () => ({
    pix: null,
    boleto: null,
    card: null,
    refund: { partial: false, asynchronous: false, windowDays: null },
    payout: { pixKey: false, ownAccount: false, txid: false, listed: false },
    disputes: false,
    listings: false,
    notifications: 'none',
  }),
  issuePix: unsupported('issue PIX charges'),
  issueBoleto: unsupported('issue boletos'),
  brCodeFor: unsupported('issue boletos'),
  tokenizeCard: unsupported('charge cards'),
  chargeCard: unsupported('charge cards'),
  findPayment: unsupported('be paid'),
  findByReference: unsupported('be paid'),
  close: unsupported('be paid'),
  closeUnstored: unsupported('be paid'),
  findUnstored: unsupported('be paid'),
  refund: unsupported('be paid'),
  listPayments: unsupported('list payments'),
  listReferences: unsupported('list charges'),
  recall: unsupported('list charges'),
  findDispute: unsupported('tell of disputes'),
  sendPix: unsupported('send money'),
  findTransfer: unsupported('send money'),
  listTransfers: unsupported('list transfers'),
  notifications: null,
};
