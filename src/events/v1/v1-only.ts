import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import { type failedPaymentEventData, publishedUnpaidCheckout } from '../checkout.ts';
import { publishedCustomer } from '../parties.ts';
import { publishedTransparent } from '../transparent.ts';

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
    return { checkout: publishedUnpaidCheckout(checkout, publicUrl), customer: publishedCustomer(customer) };
  }
  const transparent = { ...publishedTransparent(sold.transparent, publicUrl), receiptUrl: null };
  return { transparent, customer: publishedCustomer(customer) };
}

export interface V1OnlyData {
  readonly 'billing.created': ReturnType<typeof billingCreatedData>;
  readonly 'billing.failed': ReturnType<typeof failedPaymentEventData>;
}
