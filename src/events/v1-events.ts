import { exampleCheckout } from '../wire/checkout.ts';
import { v1EventDocument } from './document.ts';
import { exampleCustomer } from './parties.ts';
import { exampleCompleted, exampleFailed } from './payout.ts';
import { exampleCancelled, exampleCompleted as exampleSubscribed } from './subscription/examples.ts';
import { v1BillingData, v1SubscriptionData, v1WithdrawDone, v1WithdrawFailed } from './v1/objects.ts';

const { id: customerId, devMode, ...known } = exampleCustomer;
const customer = { id: customerId, devMode, metadata: known };
const chargeId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';
const pixId = 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

const { id, url, methods } = exampleCheckout;
const billing = {
  id,
  devMode,
  externalId: 'order-1042',
  url,
  status: 'PENDING' as const,
  frequency: 'ONE_TIME' as const,
  amount: 9_800,
  paidAmount: null,
  methods,
  products: [{ id: 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', quantity: 2 }],
  customer,
  receiptUrl: null,
  metadata: { orderId: 'A-1042' },
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
};

const paidBilling = {
  ...billing,
  status: 'PAID' as const,
  paidAmount: 9_800,
  receiptUrl: `https://pay.example.com/receipt/${chargeId}`,
  updatedAt: '2026-12-04T14:25:31.004Z',
};
const payment = { id: chargeId, devMode, amount: 9_800, fee: 403, method: 'CARD' as const };

const refundedPix = {
  id: pixId,
  devMode,
  externalId: 'order-1042',
  kind: 'PIX' as const,
  amount: 25_000,
  paidAmount: 25_000,
  platformFee: 80,
  status: 'REFUNDED' as const,
  customer,
  receiptUrl: `https://pay.example.com/receipt/${pixId}`,
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-07T10:05:12.904Z',
};

const { checkout } = exampleSubscribed;
const began = {
  customer,
  billing: {
    id: checkout.id,
    devMode,
    externalId: checkout.externalId,
    url: checkout.url,
    status: checkout.status,
    frequency: checkout.frequency,
    amount: checkout.amount,
    paidAmount: checkout.paidAmount,
    methods: checkout.methods,
    products: checkout.items,
    customer,
    receiptUrl: checkout.receiptUrl,
    metadata: checkout.metadata,
    createdAt: checkout.createdAt,
    updatedAt: checkout.updatedAt,
  },
  payment: { id: chargeId, devMode, amount: 4_900, fee: 232, method: 'CARD' as const },
};

/** What endpoints of v1 are told (contract section 7); the same happenings as in v2, by other names. */
export const v1Events = [
  v1EventDocument('billing.created', 'A billing or PIX QR code was created', v1BillingData, {
    billing,
    pixQrCode: null,
    payment: null,
  }),
  v1EventDocument('billing.paid', 'A billing or PIX QR code was paid', v1BillingData, {
    billing: paidBilling,
    pixQrCode: null,
    payment,
  }),
  v1EventDocument('billing.refunded', 'A payment was refunded, or a dispute was lost', v1BillingData, {
    billing: null,
    pixQrCode: refundedPix,
    payment: { id: pixId, devMode, amount: 25_000, fee: 80, method: 'PIX' },
    reason: 'Pedido cancelado',
  }),
  v1EventDocument(
    'billing.failed',
    'A card was declined, or an attempt to charge a cycle failed',
    v1BillingData,
    {
      billing: { ...billing, updatedAt: '2026-12-04T14:25:31.004Z' },
      pixQrCode: null,
      payment,
      reason: 'card_declined',
    },
  ),
  v1EventDocument('subscription.created', 'A subscription or its trial has begun', v1SubscriptionData, {
    subscription: exampleSubscribed.subscription,
    ...began,
  }),
  v1EventDocument('subscription.canceled', 'A subscription has ended', v1SubscriptionData, {
    subscription: exampleCancelled.subscription,
    ...began,
  }),
  v1EventDocument('withdraw.done', 'A withdrawal has arrived', v1WithdrawDone, {
    transaction: { ...exampleCompleted, kind: 'WITHDRAW' },
  }),
  v1EventDocument('withdraw.failed', 'A withdrawal could not be made', v1WithdrawFailed, {
    transaction: { ...exampleFailed, kind: 'WITHDRAW' },
  }),
];
