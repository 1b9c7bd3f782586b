import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import { type failedPaymentEventData, publishedUnpaidCheckout } from '../checkout.ts';
import { publishedCustomer } from '../parties.ts';
import { publishedTransparent } from '../transparent.ts';

/**
 * An event that only v1 has (contract section 7). Recorded in the v2 format like every event, because v1
 * payloads are derived from that format.
 */

/** A new object to pay. */
export type Sale = { readonly checkout: Checkout } | { readonly transparent: Charge };

/** The recorded data of `billing.created`. There is no receipt, because nothing is paid yet. */
export function billingCreatedData(sale: Sale, customer: Customer | null, publicUrl: string) {
  if ('checkout' in sale) {
    const { checkout } = sale;
    return { checkout: publishedUnpaidCheckout(checkout, publicUrl), customer: publishedCustomer(customer) };
  }
  const transparent = { ...publishedTransparent(sale.transparent, publicUrl), receiptUrl: null };
  return { transparent, customer: publishedCustomer(customer) };
}

export interface V1OnlyData {
  readonly 'billing.created': ReturnType<typeof billingCreatedData>;
  readonly 'billing.failed': ReturnType<typeof failedPaymentEventData>;
}
