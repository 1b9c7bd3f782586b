import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Customer } from '../database/entities/customer.ts';
import { type ToldPayment, tellCustomer, tellPayer } from './parties.ts';

/**
 * The `data` of `checkout.*` events (contract section 7). The checkout is told as this one payment sees it: of a payment
 * link and of an upsell, the items and amounts are those that were just paid, so that whoever delivers what the event
 * lists never delivers twice.
 */
export function checkoutEventData(
  checkout: Checkout,
  paid: Charge,
  customer: Customer | null,
  payment: ToldPayment,
  publicUrl: string,
) {
  const receiptUrl = `${publicUrl}/receipt/${paid.id}`;
  return {
    checkout: {
      id: checkout.id,
      devMode: checkout.devMode,
      externalId: checkout.externalId,
      url: `${publicUrl}/pay/${checkout.id}`,
      amount: paid.amountCents + paid.discountCents,
      paidAmount: paid.paidAmountCents,
      platformFee: paid.platformFeeCents,
      frequency: checkout.frequency,
      items: (paid.items ?? []).map(({ productId, quantity }) => ({ id: productId, quantity })),
      // The payment that is told of here has just made it PAID, maybe after its own end.
      status: isSettledBy(checkout, paid) ? 'PAID' : checkout.status,
      methods: checkout.methods,
      customerId: checkout.customerId ?? paid.customerId,
      receiptUrl,
      installmentsCount: installmentsOf(paid),
      metadata: checkout.metadata,
      createdAt: checkout.createdAt.toISOString(),
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
      receiptUrl,
      metadata: payment.metadata,
      createdAt: paid.createdAt.toISOString(),
      updatedAt: paid.updatedAt.toISOString(),
    },
    customer: tellCustomer(customer),
    payerInformation: tellPayer(paid, customer, payment.payer),
  };
}

/** Whether this payment makes the checkout PAID, which it is not yet where it is looked at. */
function isSettledBy({ frequency, status }: Checkout, { upsellOf }: Charge): boolean {
  const isOnce = frequency !== 'MULTIPLE_PAYMENTS' && upsellOf === null;
  return isOnce && (status === 'PENDING' || status === 'EXPIRED');
}

/** Told only where there is more than one (contract section 5). */
function installmentsOf({ installmentsCount }: Charge): number | null {
  return installmentsCount !== null && installmentsCount > 1 ? installmentsCount : null;
}
