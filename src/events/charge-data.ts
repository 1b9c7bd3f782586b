import { payerToldBy } from '../database/charge-payer.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Payment } from '../database/entities/payment.ts';
import { maskTaxId } from '../domain/tax-id.ts';
import type { ProviderPayment } from '../providers/provider.ts';
import { eventCustomer } from '../wire/customer.ts';

/** What events tell of a payment besides its charge. */
export interface ToldPayment {
  readonly payer: ProviderPayment['payer'];
  /** What a simulated payment was sent with. */
  readonly metadata: Record<string, unknown>;
}

/** A payment as it is kept, and what takes its place where there is none. */
export function toldPayment(payment: Payment | null): ToldPayment {
  return {
    payer: payerToldBy(payment),
    metadata: payment?.metadata ?? {},
  };
}

/** The `data` of `transparent.*` events (contract section 7). Tax ids are masked. */
export function transparentEventData(
  charge: Charge,
  customer: Customer | null,
  payer: ProviderPayment['payer'],
  publicUrl: string,
) {
  return {
    transparent: {
      id: charge.id,
      externalId: charge.externalId,
      amount: charge.amountCents,
      paidAmount: charge.paidAmountCents,
      platformFee: charge.platformFeeCents,
      status: charge.status,
      frequency: 'ONE_TIME',
      devMode: charge.devMode,
      customerId: charge.customerId,
      methods: [charge.method],
      receiptUrl: `${publicUrl}/receipt/${charge.id}`,
      metadata: charge.metadata,
      createdAt: charge.createdAt.toISOString(),
      updatedAt: charge.updatedAt.toISOString(),
    },
    customer: eventCustomer(customer),
    payerInformation: payerInformationOf(charge, customer, payer),
  };
}

/** Who paid, and how; null where there was nothing to pay (contract section 7). */
export function payerInformationOf(
  charge: Pick<Charge, 'method' | 'cardLastFour' | 'cardBrand'>,
  customer: Customer | null,
  payer: ProviderPayment['payer'],
) {
  if (charge.method === 'FREE') return null;
  if (charge.method === 'CARD') {
    return { method: 'CARD', CARD: { number: charge.cardLastFour, brand: charge.cardBrand } };
  }
  return {
    method: charge.method,
    [charge.method]: {
      name: payer.name,
      taxId: payer.taxId && maskTaxId(payer.taxId),
      isSameAsCustomer: customer?.taxId != null && customer.taxId === payer.taxId,
    },
  };
}
