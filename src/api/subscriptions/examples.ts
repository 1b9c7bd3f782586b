import { exampleCheckout, exampleProductId } from '../checkouts/examples.ts';

/** What the API reference shows. */
export const exampleSubscriptionId = 'subs_01KAK12F6T8V0X2Z4B6D8G0J2M';
export const exampleUsageProductId = 'prod_01KAK13H8W0Y2A4C6E8G0J2M4P';

export const exampleSubscriptionBody = {
  items: [{ id: exampleProductId, quantity: 1 }],
  externalId: 'account-77',
  methods: ['CARD'] as ('PIX' | 'CARD')[],
  retryPolicy: { maxRetry: 3, retryEvery: 2 },
  completionUrl: 'https://app.example.com/welcome',
  metadata: { accountId: '77' },
};

const { frequency: _, ...checkout } = exampleCheckout;

export const exampleSubscriptionCheckout = {
  ...checkout,
  externalId: 'account-77',
  amount: 4_900,
  items: exampleSubscriptionBody.items,
  methods: exampleSubscriptionBody.methods,
  coupons: [],
  returnUrl: null,
  completionUrl: 'https://app.example.com/welcome',
  card: { maxInstallments: 1 },
  subscriptionId: null,
  metadata: { accountId: '77' },
};

export const exampleSubscription = {
  id: exampleSubscriptionId,
  checkoutId: checkout.id,
  externalId: 'account-77',
  metadata: { accountId: '77' },
  customerId: 'cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
  amount: 4_900,
  currency: 'BRL' as const,
  method: 'CARD' as const,
  status: 'ACTIVE' as const,
  frequency: 'MONTHLY' as const,
  coupons: [],
  devMode: true,
  trialDays: null,
  trialEndsAt: null,
  retryPolicy: { maxRetry: 3, retryEvery: 2 },
  currentCycle: {
    number: 1,
    startsAt: '2026-12-04T14:25:31.004Z',
    endsAt: '2027-01-04T14:25:31.004Z',
  },
  currentCharge: null,
  canceledAt: null,
  cancelPolicy: null,
  cancelledDueTo: null,
  createdAt: '2026-12-04T14:25:31.004Z',
  updatedAt: '2026-12-04T14:25:31.004Z',
};

export const exampleCancelledSubscription = {
  ...exampleSubscription,
  status: 'CANCELLED' as const,
  canceledAt: '2026-12-20T09:12:44.310Z',
  cancelPolicy: 'NOW' as const,
  updatedAt: '2026-12-20T09:12:44.310Z',
};

export const examplePlanUpdate = {
  id: 'subu_01KAK1F2V5X7Z9B1D3F5H7K9MP',
  devMode: true,
  subscriptionId: exampleSubscriptionId,
  status: 'PENDING' as const,
  productId: exampleProductId,
  quantity: 2,
  newAmount: 9_800,
  requestedAt: '2026-12-12T17:40:02.519Z',
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
