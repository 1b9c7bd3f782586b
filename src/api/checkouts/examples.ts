import { exampleCheckout, exampleProductId } from '../../wire/checkout.ts';

/** What the API reference shows. */
export const exampleCheckoutBody = {
  items: [{ id: exampleProductId, quantity: 2 }],
  externalId: 'order-1042',
  methods: ['PIX', 'CARD'] as ('PIX' | 'CARD')[],
  card: { maxInstallments: 3 },
  coupons: ['BEMVINDO10'],
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
  metadata: { orderId: 'A-1042' },
};

export const examplePaymentLink = {
  ...exampleCheckout,
  frequency: 'MULTIPLE_PAYMENTS' as const,
  expiresAt: null,
};

export const examplePaidCheckout = {
  ...exampleCheckout,
  status: 'PAID' as const,
  paidAmount: 9_800,
  receiptUrl: 'https://pay.example.com/receipt/card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  paymentId: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
};
