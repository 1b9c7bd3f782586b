import type { z } from 'zod';
import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Customer } from '../database/entities/customer.ts';
import { customerOfFirst } from '../domain/payer.ts';
import { exampleCheckout, presentCheckout, publishedSubscriptionCheckout } from '../wire/checkout.ts';
import { type ChargedCycle, publishedCycle } from './charged-cycle.ts';
import {
  type CheckoutEventData,
  data,
  type dataWithReason,
  disputedData,
  expiredData,
  failedData,
  refundedData,
} from './checkout-schemas.ts';
import { defineEvent } from './definition.ts';
import {
  exampleCardPayer,
  exampleCustomer,
  exampleDispute,
  exampleRefund,
  type PublishedPayment,
  publishedCustomer,
  publishedPayer,
  publishedPayment,
} from './parties.ts';

/**
 * The `data` of `checkout.*`; refunds and disputes add their reason. The checkout describes this payment
 * only: for a payment link or upsell, items and amounts cover just what was paid now, so that a merchant who
 * delivers the listed items never delivers twice.
 * @param cycle the cycle of a subscription that the payment is for.
 */
export function checkoutEventData(
  from: Checkout,
  paid: Charge,
  customer: Customer | null,
  published: PublishedPayment,
  publicUrl: string,
  cycle: ChargedCycle | null = null,
): CheckoutEventData {
  const receiptUrl = `${publicUrl}/receipt/${paid.id}`;
  return {
    checkout: {
      id: from.id,
      devMode: from.devMode,
      externalId: from.externalId,
      url: `${publicUrl}/pay/${from.id}`,
      amount: paid.amountCents + paid.discountCents,
      paidAmount: paid.paidAmountCents,
      customerFee: paid.customerFeeCents === 0 ? null : paid.customerFeeCents,
      platformFee: paid.platformFeeCents,
      frequency: from.frequency,
      items: (paid.items ?? []).map(({ productId, quantity }) => ({ id: productId, quantity })),
      // This payment has just made the checkout PAID, maybe after it expired.
      status: isPaidBy(from, paid) ? 'PAID' : from.status,
      methods: from.methods,
      ...customerOfFirst(from, paid),
      receiptUrl,
      installmentsCount: installmentsOf(paid),
      isUpSell: paid.upsellOf !== null,
      metadata: from.metadata,
      createdAt: from.createdAt.toISOString(),
      updatedAt: paid.updatedAt.toISOString(),
    },
    payment: {
      id: paid.id,
      devMode: paid.devMode,
      amount: paid.amountCents,
      paidAmount: paid.paidAmountCents,
      platformFee: paid.platformFeeCents,
      status: paid.status,
      methods: paid.method === 'FREE' ? [] : [paid.method],
      upSell: paid.upsellOf !== null,
      ...publishedCycle(cycle),
      receiptUrl,
      metadata: published.metadata,
      createdAt: paid.createdAt.toISOString(),
      updatedAt: paid.updatedAt.toISOString(),
    },
    customer: publishedCustomer(customer),
    payerInformation: publishedPayer(paid, customer, published.payer),
  };
}

/** The `data` of `checkout.payment_failed`, and of `billing.failed` in v1. The checkout stays open. */
export function failedPaymentEventData(
  from: Checkout,
  failed: Charge,
  customer: Customer | null,
  publicUrl: string,
) {
  const published = checkoutEventData(from, failed, customer, publishedPayment(null), publicUrl);
  return {
    ...published,
    checkout: { ...published.checkout, status: from.status, receiptUrl: null },
    payment: { ...published.payment, receiptUrl: null },
    reason: failed.failureReason,
  };
}

/** An unpaid checkout in events; includes the frequency, also for a subscription. */
export function publishedUnpaidCheckout(checkout: Checkout, publicUrl: string) {
  const { frequency } = checkout;
  const shown =
    frequency === 'SUBSCRIPTION'
      ? publishedSubscriptionCheckout(checkout, publicUrl)
      : presentCheckout(checkout, publicUrl, null);
  return { ...shown, frequency };
}

/** The `data` of `checkout.expired`. */
export function expiredCheckoutEventData(
  expired: Checkout,
  customer: Customer | null,
  publicUrl: string,
): z.output<typeof expiredData> {
  return { checkout: publishedUnpaidCheckout(expired, publicUrl), customer: publishedCustomer(customer) };
}

/** Whether this payment makes the checkout PAID, although its row is not updated yet. */
function isPaidBy({ frequency, status }: Checkout, { upsellOf }: Charge): boolean {
  const isOnce = frequency !== 'MULTIPLE_PAYMENTS' && upsellOf === null;
  return isOnce && (status === 'PENDING' || status === 'EXPIRED');
}

/** Shown only if there is more than one (contract section 5). */
function installmentsOf({ installmentsCount }: Charge): number | null {
  return installmentsCount !== null && installmentsCount > 1 ? installmentsCount : null;
}

const id = 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
const chargeId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';
const receiptUrl = `https://pay.example.com/receipt/${chargeId}`;

const completed: CheckoutEventData = {
  checkout: {
    id,
    devMode: true,
    externalId: 'order-1042',
    url: `https://pay.example.com/pay/${id}`,
    amount: 9_800,
    paidAmount: 9_800,
    customerFee: null,
    platformFee: 403,
    frequency: 'ONE_TIME',
    items: [{ id: 'prod_01KAK0XZ4M3N5P7Q9R1S2T4V6W', quantity: 2 }],
    status: 'PAID',
    methods: ['PIX', 'CARD'],
    customerId: exampleCustomer.id,
    customerNamedBy: 'MERCHANT',
    receiptUrl,
    installmentsCount: 2,
    isUpSell: false,
    metadata: { orderId: 'A-1042' },
    createdAt: '2026-12-04T14:22:08.120Z',
    updatedAt: '2026-12-04T14:25:31.004Z',
  },
  payment: {
    id: chargeId,
    devMode: true,
    amount: 9_800,
    paidAmount: 9_800,
    platformFee: 403,
    status: 'PAID',
    methods: ['CARD'],
    upSell: false,
    installmentId: null,
    installmentNumber: null,
    receiptUrl,
    metadata: {},
    createdAt: '2026-12-04T14:25:29.611Z',
    updatedAt: '2026-12-04T14:25:31.004Z',
  },
  customer: exampleCustomer,
  payerInformation: exampleCardPayer,
};

/** The example payment after a refund or dispute. */
function reversed(
  checkoutStatus: 'PAID' | 'REFUNDED',
  status: 'REFUNDED' | 'UNDER_DISPUTE' | 'PAID',
  why: string,
): z.output<typeof dataWithReason> {
  const updatedAt = '2026-12-07T10:05:12.904Z';
  return {
    ...completed,
    checkout: { ...completed.checkout, status: checkoutStatus, updatedAt },
    payment: { ...completed.payment, status, updatedAt },
    reason: why,
  };
}

/**
 * Events of everything paid through a checkout, including payment links, upsells and renewals (contract
 * section 7).
 */
export const checkoutEvents = {
  'checkout.completed': defineEvent(
    'A checkout was paid, or a payment was made through a payment link',
    data,
    completed,
  ),
  'checkout.refunded': defineEvent(
    'A payment made through a checkout was refunded, fully or partially',
    refundedData,
    { ...reversed('REFUNDED', 'REFUNDED', 'Pedido cancelado'), refund: exampleRefund(9_800) },
  ),
  'checkout.disputed': defineEvent(
    'The payer disputes a payment made through a checkout; its amount is blocked',
    disputedData,
    { ...reversed('PAID', 'UNDER_DISPUTE', 'Não reconheço a compra'), dispute: exampleDispute(9_800) },
  ),
  'checkout.lost': defineEvent('A dispute was lost; the amount was returned to the payer', disputedData, {
    ...reversed('REFUNDED', 'REFUNDED', 'Não reconheço a compra'),
    dispute: exampleDispute(9_800, 'LOST'),
  }),
  'checkout.won': defineEvent(
    'A dispute was won; the amount is available to the store again. Our addition',
    disputedData,
    {
      ...reversed('PAID', 'PAID', 'Não reconheço a compra'),
      dispute: exampleDispute(9_800, 'WON'),
    },
  ),
  'checkout.expired': defineEvent(
    'A checkout expired unpaid. If a payment made in time is reported late, the checkout is still completed. Our addition',
    expiredData,
    {
      checkout: {
        ...exampleCheckout,
        status: 'EXPIRED',
        coupons: [],
        customerId: exampleCustomer.id,
        customerNamedBy: 'MERCHANT',
        returnUrl: null,
        completionUrl: null,
      },
      customer: exampleCustomer,
    },
  ),
  'checkout.payment_failed': defineEvent(
    'A card was declined; the checkout can still be paid. Our addition',
    failedData,
    {
      ...completed,
      checkout: {
        ...completed.checkout,
        paidAmount: null,
        status: 'PENDING',
        receiptUrl: null,
        installmentsCount: null,
      },
      payment: { ...completed.payment, paidAmount: null, status: 'FAILED', receiptUrl: null },
      payerInformation: { method: 'CARD', CARD: { number: '0002', brand: 'visa' } },
      reason: 'card_declined',
    },
  ),
};
