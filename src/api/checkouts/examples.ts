/** What the API reference shows. */
export const exampleCheckoutId = 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
export const exampleProductId = 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W';

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

export const exampleCheckout = {
  id: exampleCheckoutId,
  externalId: 'order-1042',
  url: `https://pay.example.com/pay/${exampleCheckoutId}`,
  amount: 9_800,
  paidAmount: null,
  items: [{ id: exampleProductId, quantity: 2 }],
  status: 'PENDING' as const,
  frequency: 'ONE_TIME' as const,
  methods: exampleCheckoutBody.methods,
  coupons: ['BEMVINDO10'],
  devMode: true,
  customerId: null,
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
  receiptUrl: null,
  card: { maxInstallments: 3 },
  installmentsCount: null,
  upSellProductId: null,
  metadata: { orderId: 'A-1042' },
  expiresAt: '2027-01-03T14:22:08.120Z',
  createdAt: '2026-12-04T14:22:08.120Z',
  updatedAt: '2026-12-04T14:22:08.120Z',
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
