import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import { presentCheckout, tellSubscriptionCheckout } from '../../wire/checkout.ts';
import { checkoutEventData } from '../checkout.ts';
import { tellCustomer, toldPayment } from '../parties.ts';
import { tellTransparent } from '../transparent.ts';

/**
 * What only v1 tells (contract section 7). It is recorded in the shapes of v2, as every event is, for what v1
 * is sent is made of those.
 */

/** What can be paid from now on. */
export type Sold = { readonly checkout: Checkout } | { readonly transparent: Charge };

/** What `billing.created` records: nothing has been paid yet, and so there is no receipt. */
export function billingCreatedData(sold: Sold, customer: Customer | null, publicUrl: string) {
  if ('checkout' in sold) {
    const { checkout } = sold;
    // Events tell the frequency of a subscription's checkout too.
    const { frequency } = checkout;
    const shown =
      frequency === 'SUBSCRIPTION'
        ? tellSubscriptionCheckout(checkout, publicUrl)
        : presentCheckout(checkout, publicUrl, null);
    return { checkout: { ...shown, frequency }, customer: tellCustomer(customer) };
  }
  const transparent = { ...tellTransparent(sold.transparent, publicUrl), receiptUrl: null };
  return { transparent, customer: tellCustomer(customer) };
}

/** What `billing.failed` records of a checkout's payment; its checkout is as open as before. */
export function billingFailedData(
  checkout: Checkout,
  failed: Charge,
  customer: Customer | null,
  publicUrl: string,
) {
  const told = checkoutEventData(checkout, failed, customer, toldPayment(null), publicUrl);
  return {
    ...told,
    checkout: { ...told.checkout, status: checkout.status, receiptUrl: null },
    payment: { ...told.payment, receiptUrl: null },
    reason: failed.failureReason,
  };
}

export interface V1OnlyData {
  readonly 'billing.created': ReturnType<typeof billingCreatedData>;
  readonly 'billing.failed': ReturnType<typeof billingFailedData>;
}
