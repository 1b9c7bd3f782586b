import { exampleProductId, exampleSubscriptionCheckout } from '../../wire/checkout.ts';
import { exampleSubscription, exampleSubscriptionId } from '../../wire/subscription/example.ts';

/** The examples of the API reference. */
export const exampleShownCheckout = {
  ...exampleSubscriptionCheckout,
  subscriptionStatus: null,
  subscriptionState: null,
  debitRetryPolicy: null,
};
export const exampleUsageProductId = 'prod_01KAK13H8W0Y2A4C6E8G0J2M4P';

export const exampleSubscriptionBody = {
  items: [{ id: exampleProductId, quantity: 1 }],
  externalId: 'account-77',
  methods: ['CARD'] as ('PIX' | 'CARD')[],
  retryPolicy: { maxRetry: 3, retryEvery: 2 },
  completionUrl: 'https://app.example.com/welcome',
  metadata: { accountId: '77' },
};

export const exampleCancelledSubscription = {
  ...exampleSubscription,
  status: 'CANCELLED' as const,
  state: 'CANCELLED' as const,
  canceledAt: '2026-12-20T09:12:44.310Z',
  cancelPolicy: 'NOW' as const,
  nextChargeAt: null,
  updatedAt: '2026-12-20T09:12:44.310Z',
};

export const exampleUsage = {
  id: 'usgr_01KAK1G4X7Z9B1D3F5H7K9MPRT',
  devMode: true,
  subscriptionId: exampleSubscriptionId,
  productId: exampleUsageProductId,
  units: 120,
  unitPrice: 5,
  action: 'add' as const,
  installmentNumber: 2,
  recordedAt: '2026-12-12T17:41:10.088Z',
};

export const examplePausedSubscription = {
  ...exampleSubscription,
  state: 'PAUSED' as const,
  nextChargeAt: null,
  pausedAt: '2026-12-20T09:12:44.310Z',
  resumesAt: '2027-03-20T03:00:00.000Z',
  updatedAt: '2026-12-20T09:12:44.310Z',
};
